/** The test identity provider: what it signs, what it makes invalid, and what it leaves to a hook. */
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import {
  base64url,
  compactVerify,
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeProtectedHeader,
  importJWK,
  importSPKI,
  type JWK,
  jwtVerify,
} from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Skipped, Undecided } from '../../lib/model/verdict.ts';
import { makeTrust } from '../../reference/index.ts';
import {
  alterMiddle,
  decode,
  sign,
  signWithSecret,
  unsigned,
  withAlteredSignature,
  withExtendedSignature,
  withOtherClaims,
  withoutSignature,
} from '../../services/agents/idp/compact.ts';
import { IdentityProvider, LIFETIME_S } from '../../services/agents/idp/identity-provider.ts';
import { serveJwks } from '../../services/agents/idp/jwks-server.ts';
import { foreignKeyPair, publicRs256Jwk as publicJwk, publicPem } from '../../services/agents/idp/keys.ts';
import { hookSigner, keySigner, remembering, type Signer } from '../../services/agents/idp/signer.ts';

const trust = await makeTrust();
const now = Date.UTC(2026, 0, 15, 12);
const user = { sub: 'user-1', email: 'user-1@example.com' };
const audience = 'https://api.example/v2';
const provider = new IdentityProvider(trust.issuer, keySigner(trust.key), () => now);
const keys = createLocalJWKSet(trust.jwks);

describe('a good assertion', () => {
  test('verifies, and has every claim and header of section 4', async () => {
    const { token } = await provider.mint(user, audience);
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ['RS256'],
      audience,
      issuer: trust.issuer,
      typ: 'oauth-id-jag+jwt',
      currentDate: new Date(now),
      requiredClaims: ['sub', 'email', 'email_verified', 'jti', 'exp'],
    });
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'oauth-id-jag+jwt', kid: 'reference' });
    expect(payload).toMatchObject({ ...user, email_verified: true });
    expect(Number(payload.exp) - now / 1000).toBeGreaterThan(240);
    expect(Number(payload.exp) - now / 1000).toBeLessThanOrEqual(LIFETIME_S);
  });

  test('has a jti of its own every time', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => provider.mint(user, audience)));
    expect(new Set(made.map(({ claims }) => claims.jti)).size).toBe(20);
  });
});

describe('a changed assertion', () => {
  test.each(['RS384', 'RS512', 'PS256', 'PS384'])('is signed with %s by the same key', async (alg) => {
    const { token } = await provider.mint(user, audience, { header: { alg } });
    const { protectedHeader } = await compactVerify(
      token,
      await importJWK({ ...trust.jwks.keys[0], alg } as JWK, alg),
    );
    expect(protectedHeader.alg).toBe(alg);
  });

  test('lacks what is undefined, and is otherwise as it was', async () => {
    const { token } = await provider.mint(user, audience, {
      header: { typ: undefined },
      claims: { jti: undefined, exp: 'soon' },
    });
    const { header, claims } = decode(token);
    expect(Object.keys(header)).toEqual(['alg', 'kid']);
    expect(claims).not.toHaveProperty('jti');
    expect(claims).toMatchObject({ exp: 'soon', aud: audience, iss: trust.issuer });
    await compactVerify(token, keys);
  });

  test.each([
    [240, 60],
    [390, -90],
    [3900, -3600],
  ])('of %i seconds of age has %i left', async (age, left) => {
    const { claims } = await provider.mint(user, audience, { age });
    expect(Number(claims.exp) - now / 1000).toBe(left);
    expect(Number(claims.exp) - Number(claims.iat)).toBe(LIFETIME_S);
  });

  test('can name an unknown critical header', async () => {
    const { token } = await provider.mint(user, audience, { header: { crit: ['x'], x: true } });
    expect(decodeProtectedHeader(token)).toMatchObject({ crit: ['x'], x: true });
  });
});

describe('forgeries', () => {
  test('with a foreign key verify only with that key', async () => {
    for (const alg of ['RS256', 'ES256'] as const) {
      const { privateKey, publicKey } = await foreignKeyPair(alg);
      const token = await sign(
        provider.header({ header: { alg } }),
        provider.claims(user, audience),
        privateKey,
      );
      await compactVerify(token, await importJWK(publicKey, alg));
      await expect(compactVerify(token, keys)).rejects.toThrow();
    }
  });

  test('by key confusion verify with the public key as the secret', async () => {
    const key = publicJwk(trust.key);
    for (const secret of [publicPem(key), JSON.stringify(key)]) {
      const token = await signWithSecret(
        provider.header({ header: { alg: 'HS256' } }),
        provider.claims(user, audience),
        secret,
      );
      await compactVerify(token, new TextEncoder().encode(secret));
    }
  });

  test('unsigned, stripped, altered: three parts, and no good signature', async () => {
    const { token, header, claims } = await provider.mint(user, audience);
    const spoilt = [
      unsigned({ ...header, alg: 'none' }, claims),
      withoutSignature(token),
      withAlteredSignature(token),
      withOtherClaims(token, { ...claims, sub: 'other' }),
    ];
    for (const each of spoilt) {
      expect(each.split('.')).toHaveLength(3);
      await expect(compactVerify(each, keys)).rejects.toThrow();
    }
    expect(decode(spoilt[3] as string).claims.sub).toBe('other');
    const [good, bad] = [token, spoilt[2] as string].map((each) =>
      base64url.decode(each.split('.')[2] as string),
    );
    expect(bad).toHaveLength((good as Uint8Array).length);
    expect(Buffer.compare(good as Uint8Array, bad as Uint8Array)).not.toBe(0);
  });
});

describe('alterMiddle', () => {
  test.each([
    ['0123456789', '0123466789'],
    ['aaff', 'aaaf'],
    ['xyz', 'xzz'],
    ['--A--', '--B--'],
    ['a------', 'b------'],
    ['---', '---x'],
    ['', 'x'],
  ])('%j becomes %j', (text, altered) => {
    expect(alterMiddle(text)).toBe(altered);
  });
});

describe('keys', () => {
  test('nothing private is published', () => {
    const key = publicJwk(trust.key);
    expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(JSON.stringify(key)).not.toContain(String(trust.key.d));
  });

  test('PEM and JWK are the same key', async () => {
    const { token } = await provider.mint(user, audience);
    await compactVerify(token, await importSPKI(publicPem(publicJwk(trust.key)), 'RS256'));
  });

  test('a key that cannot sign leaves the check undecided', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const weak = privateKey.export({ format: 'jwk' }) as JWK;
    const own = new IdentityProvider(trust.issuer, keySigner(weak), () => now);
    await expect(own.mint(user, audience)).rejects.toThrow(Undecided);
  });
});

describe('the key set on loopback', () => {
  test('is found by its address and by the discovery document of the issuer', async () => {
    const server = await serveJwks(0, trust.issuer, [publicJwk(trust.key)]);
    onTestFinished(() => server.close());
    const discovered = (await (await fetch(`${server.url}/.well-known/openid-configuration`)).json()) as {
      issuer: string;
      jwks_uri: string;
    };
    expect(discovered.issuer).toBe(trust.issuer);
    const { token } = await provider.mint(user, audience);
    await jwtVerify(token, createRemoteJWKSet(new URL(discovered.jwks_uri)), { currentDate: new Date(now) });
    expect((await fetch(`${server.url}/jwks`, { method: 'POST' })).status).toBe(405);
    expect(await (await fetch(`${server.url}/jwks`)).text()).not.toContain(String(trust.key.d));
  });

  test('frees its port', async () => {
    const server = await serveJwks(0, trust.issuer, []);
    const port = Number(new URL(server.url).port);
    await expect(serveJwks(port, trust.issuer, [])).rejects.toThrow(/EADDRINUSE/);
    await server.close();
    const again = await serveJwks(port, trust.issuer, []);
    await again.close();
  });
});

describe('an assertion that no library would sign', () => {
  test('a header without alg is signed as by RS256', async () => {
    const { token, header } = await provider.mint(user, audience, { header: { alg: undefined } });
    expect(header.alg).toBeUndefined();
    const [, claims, signature] = token.split('.');
    const [signed] = token.split('.');
    const made = verify(
      'sha256',
      Buffer.from(`${signed}.${claims}`),
      createPublicKey({ key: publicJwk(trust.key) as never, format: 'jwk' }),
      Buffer.from(signature as string, 'base64url'),
    );
    expect(made).toBe(true);
    expect(JSON.parse(new TextDecoder().decode(base64url.decode(signed as string)))).toEqual({
      typ: 'oauth-id-jag+jwt',
      kid: 'reference',
    });
  });

  test.each([[null], [[]]])('a payload %j is signed as it is, and a hook does not', async (payload) => {
    const token = await provider.signed(provider.header(), payload);
    const { payload: made } = await compactVerify(token, keys);
    expect(JSON.parse(new TextDecoder().decode(made))).toEqual(payload);
    const hooked = new IdentityProvider(
      trust.issuer,
      hookSigner(async () => token),
      () => now,
    );
    await expect(hooked.signed(provider.header(), payload)).rejects.toBeInstanceOf(Skipped);
  });

  test('a signature with bytes behind it begins with the good one and does not verify', async () => {
    const { token } = await provider.mint(user, audience);
    const extended = withExtendedSignature(token);
    const [good, longer] = [token, extended].map((each) => base64url.decode(each.split('.')[2] as string));
    expect(longer).toHaveLength(259);
    expect(longer?.slice(0, 256)).toEqual(good);
    await expect(compactVerify(extended, keys)).rejects.toThrow();
  });
});

test('what is signed again in the same words is signed once where that is wanted', async () => {
  let signed = 0;
  const counting: Signer = {
    publicKey: { kty: 'RSA', n: 'of this test' },
    sign: async () => {
      signed += 1;
      return `token ${signed}`;
    },
  };
  const make = (unique: () => string) =>
    new IdentityProvider(trust.issuer, remembering(counting), () => now, undefined, unique);
  const tokens: string[] = [];
  for (const jti of ['one', 'one', 'two']) tokens.push((await make(() => jti).mint(user, audience)).token);
  expect(tokens).toEqual(['token 1', 'token 1', 'token 2']);
});
