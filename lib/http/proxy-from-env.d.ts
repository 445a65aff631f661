declare module 'proxy-from-env' {
  /** Returns the proxy that the environment variables name for a URL; empty where they name none. */
  export function getProxyForUrl(url: string): string;
}
