/** Finds the proxy for a URL, and makes connections through it. */
import type { Agent } from 'node:http';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';
import type { NetworkConfig } from '../config/types.ts';

/** The names of this machine itself, which is never reached through a proxy. */
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i;

/**
 * Returns the proxy for a URL, as given by `network.proxy` or the usual environment variables (`HTTP_PROXY`,
 * `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`, in lower case too). This machine and Unix sockets are reached
 * without one.
 * @returns the URL of the proxy, with the credentials that it asks for; `undefined` for none
 */
export function proxyFor(url: URL, { proxy, socket }: NetworkConfig = {}): string | undefined {
  if (proxy === false || socket !== undefined || LOOPBACK.test(url.hostname)) return undefined;
  return proxy ?? (getProxyForUrl(url.href) || undefined);
}

/** Returns one sentence for each proxy of a run, which says which of the URLs are reached through it. */
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

/** Connections through proxies, which are kept open like all others. */
export class ProxyConnections {
  readonly #pools = new Map<string, Agent>();

  /**
   * Returns the agent that connects through a proxy.
   * @throws Error for a proxy whose URL is not valid
   */
  through(proxy: string, protocol: string, kept: { keepAlive: boolean; maxSockets: number }): Agent {
    if (!URL.canParse(proxy)) throw new Error('the address of the proxy cannot be read');
    const key = `${protocol} ${proxy}`;
    const agent =
      this.#pools.get(key) ??
      (protocol === 'https:' ? new HttpsProxyAgent(proxy, kept) : new HttpProxyAgent(proxy, kept));
    this.#pools.set(key, agent);
    return agent;
  }

  close(): void {
    for (const agent of this.#pools.values()) agent.destroy();
  }
}
