declare module 'proxy-from-env' {
  /** The proxy that the variables of the environment name for an address; empty where they name none. */
  export function getProxyForUrl(url: string): string;
}
