/** The embedded reference as a target: started on loopback, with everything that unlocks every check. */
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';
import type { ResolvedTarget } from '../config/types.ts';

/** The key pair of the identity provider that the reference trusts, and its issuer. */
export interface Trust {
  issuer: string;
  /** Private key. */
  key: JWK & { kty: 'RSA' };
  jwks: JSONWebKeySet;
}

/** A fresh key pair: nothing that signs is ever kept in the repository. */
export async function makeTrust(): Promise<Trust> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'reference', alg: 'RS256' } as Trust['key'];
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'reference', alg: 'RS256', use: 'sig' }] };
  return { issuer: 'https://idp.example/tenants/main', key, jwks };
}

/** A running reference. */
export interface Embedded {
  url: string;
  target: ResolvedTarget;
  close(): Promise<void>;
}

/**
 * Starts the reference on a free port of the loopback interface (or the given one) and describes it as a
 * target. What the target's own configuration says stays; the reference fills in the rest.
 */
export async function startEmbedded(configured: ResolvedTarget, port = 0): Promise<Embedded> {
  const trust = await makeTrust();
  // Loaded only here: runs against other targets never need the reference.
  const { createReference, describeReference, listen } = await import('../../reference/index.ts');
  let url = '';
  const reference = createReference({ issuer: trust.issuer, jwks: trust.jwks, publicUrl: () => url });
  const server = await listen(reference.handle, { port });
  url = server.url;
  return {
    url,
    target: embeddedTarget(configured, describeReference(url, trust)),
    close: () => server.close(),
  };
}

/** The configuration of an embedded target over what the reference says of itself. */
export function embeddedTarget(configured: ResolvedTarget, own: ReferenceDescription): ResolvedTarget {
  return {
    ...configured,
    embedded: true,
    shipping: { ...own.shipping, ...configured.shipping } as ResolvedTarget['shipping'] & object,
    agents: { ...own.agents, ...configured.agents } as ResolvedTarget['agents'] & object,
    caches: { ...own.caches, ...configured.caches } as ResolvedTarget['caches'] & object,
    hooks: { ...own.hooks, ...configured.hooks },
  };
}

/** What the reference says of itself: the same keys as in `targets.yaml`. */
export interface ReferenceDescription {
  shipping: Record<string, unknown>;
  agents: Record<string, unknown>;
  caches: Record<string, unknown>;
  hooks: ResolvedTarget['hooks'];
}
