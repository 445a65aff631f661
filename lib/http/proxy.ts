/** Proxies: which one leads to an address, and the connections through it. */
import type { Agent } from 'node:http';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';
import type { NetworkConfig } from '../config/types.ts';

/** This machine itself, which no proxy leads to. */
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i;

/**
 * The proxy for an address, by `network.proxy` or the usual variables (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`,
 * `NO_PROXY`, in small letters too). None leads to this machine, nor to a Unix socket.
 * @returns its address, with what it wants to know of us
 */
export function proxyFor(url: URL, { proxy, socket }: NetworkConfig = {}): string | undefined {
  if (proxy === false || socket !== undefined || LOOPBACK.test(url.hostname)) return undefined;
  return proxy ?? (getProxyForUrl(url.href) || undefined);
}

/** Proxies as a run tells of them, a sentence each: which of the addresses are reached through which. */
export function proxySentences(urls: readonly string[], network: NetworkConfig | undefined): string[] {
  const origins = new Map<string, Set<string>>();
  for (const url of urls.map((each) => new URL(each))) {
    const proxy = proxyFor(url, network);
    if (proxy !== undefined) origins.set(proxy, (origins.get(proxy) ?? new Set()).add(url.origin));
  }
  const why =
    network?.proxy === undefined ? 'by the proxy variables of the environment' : 'by `network.proxy`';
  return [...origins].map(
    ([proxy, reached]) =>
      `${[...reached].join(', ')}: through the proxy ${withoutSecrets(proxy)}, ${why}; \`network.proxy: false\` goes straight there`,
  );
}

function withoutSecrets(proxy: string): string {
  return URL.canParse(proxy) ? new URL(proxy).host : 'whose address cannot be read';
}

/** Connections through proxies, kept like all others. */
export class ProxyConnections {
  readonly #kept = new Map<string, Agent>();

  /** @throws Error for an address that is none */
  through(proxy: string, protocol: string, kept: { keepAlive: boolean; maxSockets: number }): Agent {
    if (!URL.canParse(proxy)) throw new Error('the address of the proxy cannot be read');
    const key = `${protocol} ${proxy}`;
    const agent =
      this.#kept.get(key) ??
      (protocol === 'https:' ? new HttpsProxyAgent(proxy, kept) : new HttpProxyAgent(proxy, kept));
    this.#kept.set(key, agent);
    return agent;
  }

  close(): void {
    for (const agent of this.#kept.values()) agent.destroy();
  }
}
