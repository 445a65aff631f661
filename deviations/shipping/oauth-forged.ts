/** Tokens that are JWTs and are accepted although the service has not issued them (4.7, 4.9 and 5). */
import { createHmac, createPublicKey, type JsonWebKey, randomUUID, verify } from 'node:crypto';
import type { Env, IssuedToken, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

/** A JWT that was sent, and the issued token with the same `jti`. */
interface Sent {
  header: { alg?: string; jwk?: JsonWebKey };
  /** The part of the JWT that is signed. */
  text: string;
  signature: string;
  original: IssuedToken;
}

const KEY = 'the key of the service';
const signed = (text: string, key: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');
const written = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function read(value: string, env: Env): Sent | undefined {
  const [head = '', content = '', signature = ''] = value.split('.');
  try {
    const parse = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());
    const { jti } = parse(content) as { jti: string };
    const original = [...env.state.tokens.values()].find(
      (each) => parse(each.value.split('.')[1]!).jti === jti,
    );
    return original && { header: parse(head), text: `${head}.${content}`, signature, original };
  } catch {
    return undefined;
  }
}

/** Ways of accepting a JWT that was not issued, each with the end of its sentence. */
const FLAWS: Record<string, [sentence: string, passes: (sent: Sent, env: Env) => boolean]> = {
  none: [
    'an unsigned token that says so',
    ({ header, signature }) => header.alg === 'none' && signature === '',
  ],
  unverified: [
    'a token without looking whether its signature is right',
    ({ signature, original }) => original.value.endsWith(`.${signature}`) && signature !== '',
  ],
  'empty-key': ['a token signed with an empty key', ({ text, signature }) => signature === signed(text, '')],
  'none-in-any-case': [
    'an unsigned token that says so in other letters than none',
    ({ header, signature }) => /^none$/i.test(header.alg ?? '') && header.alg !== 'none' && signature === '',
  ],
  unsigned: [
    'a token without its signature',
    ({ header, signature }) => header.alg === 'HS256' && signature === '',
  ],
  'client-secret': [
    'a token signed with the secret of its client',
    ({ text, signature, original }, env) =>
      signature === signed(text, env.clients.find(({ id }) => id === original.clientId)!.secret),
  ],
  'own-key': [
    'a token signed with the key in its header',
    ({ header, text, signature }) =>
      header.jwk !== undefined &&
      verify(
        'sha256',
        Buffer.from(text),
        { key: createPublicKey({ key: header.jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      ),
  ],
};

type Passes = (value: string, env: Env) => IssuedToken | undefined;

/**
 * The places where tokens are accepted, each with the requirement that breaks and the verb for the sentence.
 */
const PLACES: [
  place: string,
  requirement: string,
  verb: string,
  rules: (original: ShippingRules, passes: Passes) => Partial<ShippingRules>,
][] = [
  [
    'bearer',
    'TOKEN-FORGED-REFUSED',
    'accepts',
    (original, passes) => ({
      findAccessToken: (value, env) =>
        original.findAccessToken(value, env) ??
        original.findAccessToken(passes(value, env)?.value ?? '', env),
    }),
  ],
  [
    'refresh',
    'TOKEN-REFRESH-FORGED-REFUSED',
    'exchanges',
    (original, passes) => ({
      redeemRefreshToken: (value, client, env) =>
        original.redeemRefreshToken(passes(value, env)?.value ?? value, client, env),
    }),
  ],
  [
    'introspect',
    'TOKEN-INTROSPECT-TELLS-FORGED',
    'reports as active',
    (original, passes) => ({
      findToken: (value, hint, where, env) =>
        original.findToken(value, hint, where, env) ??
        (where === 'introspect' ? passes(value, env) : undefined),
    }),
  ],
];

/** How many of the flaws are tried at every place. At the address endpoints all of them are. */
const EVERYWHERE = 3;

export const forgedDeviations: Deviation<ShippingRules>[] = PLACES.flatMap(
  ([place, requirement, verb, rules]) =>
    Object.entries(FLAWS)
      .slice(0, place === 'bearer' ? undefined : EVERYWHERE)
      .map(([name, [sentence, passes]]) => ({
        id: `${place}-jwt-${name}`,
        breaks: [requirement],
        sentence: `issues JWTs, and ${verb} ${sentence}`,
        rules: (original: ShippingRules): Partial<ShippingRules> => ({
          newTokenValue: (_kind, env) => {
            const exp = Math.floor(env.clock.now() / 1000) + env.rules.accessTokenLifetime;
            const text = `${written({ alg: 'HS256', typ: 'JWT' })}.${written({ jti: randomUUID(), exp })}`;
            return `${text}.${signed(text, KEY)}`;
          },
          ...rules(original, (value, env) => {
            const sent = read(value, env);
            return sent && passes(sent, env) ? sent.original : undefined;
          }),
        }),
      })),
);
