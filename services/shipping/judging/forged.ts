/**
 * Forged tokens, made from the content of a token that the server issued. That content can only be read where
 * the token is a JWT (RFC 7519); for any other token, content that such a token might have is made up.
 */
import { createHmac, createSign } from 'node:crypto';
import { newEllipticKeyPair } from '../../../lib/model/key-pair.ts';
import type { Client } from '../api/oauth.ts';

type Claims = Record<string, unknown>;

/** The decoded parts of a JWT, except `signature`, which stays in base64url. */
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

/** Returns the content of a JWT; `undefined` for any other token. */
function contentOf(token: string): Content | undefined {
  const parts = token.split('.');
  const [header, claims] = [objectIn(parts[0]), objectIn(parts[1])];
  return parts.length === 3 && header && claims ? { header, claims, signature: parts[2]! } : undefined;
}

/** Returns made-up content that a token of this client might have. */
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

/** Signs with a new key, and puts it into the header: valid to a server that trusts the header. */
function withOwnKey({ header, claims }: Content): string {
  const { privateKey, publicKey } = newEllipticKeyPair();
  const { kid: _, ...others } = header;
  const text = written({ ...others, alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) }, claims);
  const signature = createSign('SHA256').update(text).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/**
 * Returns forged tokens with the content of `token`, each with a description of the forgery. Those that
 * careless servers are most likely to accept come first, because some checks try only the first few.
 */
export function forgedFrom(token: string, client: Client): [name: string, forged: string][] {
  const content = contentOf(token) ?? likelyContent(client);
  const { header, claims, signature } = content;
  const exp = typeof claims.exp === 'number' ? claims.exp : Math.floor(Date.now() / 1000);
  return [
    ['unsigned, with the algorithm none', `${written({ ...header, alg: 'none' }, claims)}.`],
    // The claims stay as they are: an introspection response may repeat them, but not the header. So a server
    // that does not verify the signature answers exactly as for the issued token.
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
