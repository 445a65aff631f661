/** Finds the proxy for a URL, and makes connections through it. */
import type { Agent } from 'node:http';
import type { SecureContextOptions } from 'node:tls';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';
import type { NetworkConfig } from '../config/types.ts';
import { describe, ProxyFailed } from './wire-errors.ts';

/** The names of this machine itself, which is reached through a proxy only where the configuration names one. */
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i;

/**
 * Returns the proxy for a URL, as given by `network.proxy` or the usual environment variables (`HTTP_PROXY`,
 * `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`, in lower case too). Unix sockets are reached without one, and so is this
 * machine, unless `network.proxy` names one and the target is here.
 * @param isHook whether the URL is that of a hook: `network.socket` does not lead to it, and on this machine it is
 *   reached without a proxy
 * @returns the URL of the proxy, with the credentials that it asks for; `undefined` for none
 */
export function proxyFor(url: URL, network: NetworkConfig = {}, isHook = false): string | undefined {
  const { proxy, socket } = network;
  if (proxy === false || (socket !== undefined && !isHook)) return undefined;
  if (LOOPBACK.test(url.hostname) && (isHook || proxy === undefined)) return undefined;
  return proxy ?? (getProxyForUrl(url.href) || undefined);
}

/**
 * Returns one sentence for each proxy of a run, which says what is reached through it.
 * @param urls of the target
 * @param hooks URLs of hooks
 */
export function proxySentences(
  urls: readonly string[],
  network: NetworkConfig | undefined,
  hooks: readonly string[] = [],
): string[] {
  const origins = new Map<string, Set<string>>();
  const note = (text: string, isHook: boolean) => {
    const url = new URL(text);
    const proxy = proxyFor(url, network, isHook);
    if (proxy !== undefined) origins.set(proxy, (origins.get(proxy) ?? new Set()).add(url.origin));
  };
  for (const url of urls) note(url, false);
  for (const url of hooks) note(url, true);
  return [...origins].map(
    ([proxy, reached]) =>
      `${[...reached].join(', ')}: through ${proxyName(proxy, network)}; \`network.proxy: false\` goes straight there`,
  );
}

/** Returns a proxy in words: its address without credentials, and what names it. */
export function proxyName(proxy: string, network: NetworkConfig = {}): string {
  const by = network.proxy === undefined ? 'the proxy variables of the environment' : '`network.proxy`';
  return `the proxy ${withoutSecrets(proxy)} (by ${by})`;
}

function withoutSecrets(proxy: string): string {
  return URL.canParse(proxy) ? new URL(proxy).host : 'whose address cannot be read';
}

type ProxyAgent = HttpProxyAgent<string> | HttpsProxyAgent<string>;

/** How connections to a proxy are made: how long they are kept, and which authorities are trusted. */
export interface ProxyOptions extends Pick<SecureContextOptions, 'ca'> {
  keepAlive: boolean;
  maxSockets: number;
  rejectUnauthorized?: boolean | undefined;
}

/** What a request through a proxy has besides the options of Node. */
export interface RequestThroughProxy {
  /** Aborted when the request is given up. Node keeps its own `signal` from the pool of connections. */
  ended?: AbortSignal;
}

/** Connections through proxies, which are kept open like all others. */
export class ProxyConnections {
  readonly #pools = new Map<string, Agent>();

  /**
   * Returns the agent that connects through a proxy.
   * @param name the proxy in words, for messages
   * @throws ProxyFailed for a proxy whose URL is not valid
   */
  through(proxy: string, name: string, protocol: string, options: ProxyOptions): Agent {
    if (!URL.canParse(proxy)) throw new ProxyFailed(`${name} cannot be used`);
    if (!/^https?:/i.test(proxy)) throw new ProxyFailed(`${name} is no http or https proxy`);
    const key = `${protocol} ${proxy}`;
    const agent =
      this.#pools.get(key) ??
      (protocol === 'https:'
        ? explained(new HttpsProxyAgent(proxy, options), name)
        : explained(new HttpProxyAgent(proxy, options), name));
    this.#pools.set(key, agent);
    return agent;
  }

  close(): void {
    for (const agent of this.#pools.values()) agent.destroy();
  }
}

/**
 * Changes how an agent connects: a connection that cannot be made is the proxy's failure and no other, and one that
 * is still being made is closed when its request is given up. Nothing else closes it, since it is not yet that of the
 * request.
 */
function explained(agent: ProxyAgent, name: string): ProxyAgent {
  const connect = agent.connect.bind(agent) as HttpProxyAgent<string>['connect'];
  agent.connect = async (...[request, options]: Parameters<typeof connect>) => {
    const { ended } = options as RequestThroughProxy;
    agent.connectOpts = { ...agent.connectOpts, ...(ended && { signal: ended }) };
    try {
      return await connect(request, options);
    } catch (error) {
      throw new ProxyFailed(`${name} cannot be used: ${describe(error, agent.proxy.protocol).message}`);
    }
  };
  return agent;
}
