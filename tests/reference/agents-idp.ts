/** A small identity provider for the tests of the reference. */
import { createHmac, createPublicKey } from 'node:crypto';
import {
  base64url,
  CompactSign,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  SignJWT,
} from 'jose';
import { type AgentRules, createAgents } from '../../reference/agents/index.ts';
import { manualClock } from '../../reference/kit/clock.ts';
import { idJag } from '../../schemas/agents/index.ts';

export const base = 'http://127.0.0.1/agents';
export const resource = `${base}/v2`;
export const issuer = 'https://idp.example';
export const start = Date.UTC(2026, 0, 15, 12);

const pair = await generateKeyPair('RS256', { extractable: true });
const stranger = await generateKeyPair('RS256', { extractable: true });
const jwk = await exportJWK(pair.publicKey);
export const jwks: JSONWebKeySet = { keys: [{ ...jwk, kid: 'k1', alg: 'RS256', use: 'sig' }] };
const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
const strangerJwk = await exportJWK(stranger.publicKey);

let serial = 0;

/** Claims of a good assertion; `undefined` in `changes` removes one. */
export function claims(changes: Record<string, unknown> = {}): Record<string, unknown> {
  serial += 1;
  return {
    iss: issuer,
    aud: resource,
    sub: 'user-1',
    email: 'user-1@example.com',
    email_verified: true,
    jti: `jti-${serial}`,
    iat: start / 1000,
    exp: start / 1000 + 300,
    ...changes,
  };
}

const good = { alg: 'RS256', typ: 'oauth-id-jag+jwt', kid: 'k1' };

/** A signed assertion; the algorithm of `header` decides how the provider's own key (or its like) signs. */
export async function mint(
  changes: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const full = { ...good, ...header };
  const key = await keyFor(String(full.alg));
  return new SignJWT(claims(changes))
    .setProtectedHeader(full)
    .sign(key, header.crit ? { crit: { x: true } } : undefined);
}

/** Any text at all, signed as an assertion is. */
export async function signText(text: string): Promise<string> {
  return new CompactSign(new TextEncoder().encode(text)).setProtectedHeader(good).sign(pair.privateKey);
}

async function keyFor(alg: string): Promise<CryptoKey> {
  if (alg === 'RS256') return pair.privateKey;
  if (alg.startsWith('ES')) return (await generateKeyPair(alg)).privateKey;
  return (await importJWK(await exportJWK(pair.privateKey), alg)) as CryptoKey;
}

/** An assertion under the provider's `kid`, signed by somebody else; optionally with that key in its header. */
export async function forged(embedded = false): Promise<string> {
  const header = embedded ? { ...good, kid: undefined, jwk: strangerJwk } : good;
  return new SignJWT(claims()).setProtectedHeader(header).sign(stranger.privateKey);
}

/** Compact form with any header and signature at all. */
export function compact(
  header: Record<string, unknown>,
  payload: unknown,
  sign?: (input: string) => Uint8Array,
) {
  const part = (value: unknown) => base64url.encode(JSON.stringify(value));
  const input = `${part(header)}.${part(payload)}`;
  return `${input}.${sign ? base64url.encode(sign(input)) : ''}`;
}

/** Key confusion: HS256 keyed with the public key, as PEM or as JWK. */
export function confused(form: 'pem' | 'jwk'): string {
  const secret = form === 'pem' ? pem : JSON.stringify(jwk);
  return compact({ ...good, alg: 'HS256' }, claims(), (input) =>
    createHmac('sha256', secret).update(input).digest(),
  );
}

/** A fresh service with its clock and the few calls that tests make. */
export function service(rules: Partial<AgentRules> = {}) {
  const clock = manualClock(start);
  const { handle } = createAgents({ clock, rules, issuer, jwks, publicUrl: `${base}/` });
  const post = async (body: string) => {
    const answer = await handle(
      new Request('http://127.0.0.1/agent/auth', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }),
    );
    return { answer, status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  /** Registers with a body that is right but for `changes`; `undefined` removes a field. */
  const register = async (assertion: unknown, changes: Record<string, unknown> = {}) =>
    post(
      JSON.stringify({
        type: 'identity_assertion',
        assertion_type: idJag,
        assertion,
        requested_credential_type: 'api_key',
        ...changes,
      }),
    );
  const get = (path: string, init?: RequestInit) => handle(new Request(`http://127.0.0.1${path}`, init));
  const scrape = (
    headers: Record<string, string>,
    path = '/v2/scrape',
    body = '{"url":"https://a.example"}',
  ) => get(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  return { clock, handle, post, register, get, scrape };
}
