/**
 * Tokens that nobody issued, made from the content of one that was issued. Only where that is a JWT (RFC 7519) can its
 * content be read; elsewhere they have what the content of such a token might be.
 */
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import type { Client } from '../api/oauth.ts';

type Claims = Record<string, unknown>;

/** The parts of a JWT; `signature` is as it is written in it. */
interface Content {
  header: Claims;
  claims: Claims;
  signature: string;
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

function objectIn(part: string | undefined): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
    return value !== null && typeof value === 'object' ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}

/** What a JWT says; `undefined` for any other token. */
function contentOf(token: string): Content | undefined {
  const parts = token.split('.');
  const [header, claims] = [objectIn(parts[0]), objectIn(parts[1])];
  return parts.length === 3 && header && claims ? { header, claims, signature: parts[2]! } : undefined;
}

/** What a token of this client might say. */
function likelyContent({ clientId }: Client): Content {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { sub: clientId, client_id: clientId, scope: 'read write', iat, exp: iat + 7200 };
  return { header: { alg: 'HS256', typ: 'JWT' }, claims, signature: base64url('signature') };
}

const written = (header: Claims, claims: Claims): string =>
  `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}`;

function keyed({ header, claims }: Content, key: string): string {
  const text = written({ ...header, alg: 'HS256' }, claims);
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

/** With a key that the header carries, so that the signature is right by that key. */
function withOwnKey({ header, claims }: Content): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kid: _, ...others } = header;
  const text = written({ ...others, alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) }, claims);
  const signature = createSign('SHA256').update(text).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/**
 * Tokens with the content of `token`, each named by how it was forged. Those that come first are the ones that most
 * services would fall for that fall for any.
 */
export function forgedFrom(token: string, client: Client): [name: string, forged: string][] {
  const content = contentOf(token) ?? likelyContent(client);
  const { header, claims, signature } = content;
  const exp = typeof claims.exp === 'number' ? claims.exp : Math.floor(Date.now() / 1000);
  return [
    ['unsigned, with the algorithm none', `${written({ ...header, alg: 'none' }, claims)}.`],
    // The answer of an introspection may repeat the content, but not the header.
    [
      'with another header under the old signature',
      `${written({ ...header, cty: 'x' }, claims)}.${signature}`,
    ],
    ['signed with an empty key', keyed(content, '')],
    [
      'with a later expiry under the old signature',
      `${written(header, { ...claims, exp: exp + 7200 })}.${signature}`,
    ],
    ['unsigned, with the algorithm nOnE', `${written({ ...header, alg: 'nOnE' }, claims)}.`],
    ['without its signature', `${written(header, claims)}.`],
    ['signed with the secret of the client', keyed(content, client.clientSecret)],
    ['signed with a key in its own header', withOwnKey(content)],
  ];
}
