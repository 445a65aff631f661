/** A hook that signs in place of a key. */
import { describe, expect, test } from 'vitest';
import { Skipped, Undecided } from '../../lib/model/verdict.ts';
import { makeTrust } from '../../reference/index.ts';
import { decode, type JsonObject } from '../../services/agents/idp/compact.ts';
import { IdentityProvider } from '../../services/agents/idp/identity-provider.ts';
import { hookSigner, keySigner } from '../../services/agents/idp/signer.ts';

const trust = await makeTrust();
const now = Date.UTC(2026, 0, 15, 12);
const user = { sub: 'user-1', email: 'user-1@example.com' };
const audience = 'https://api.example/v2';

describe('a hook that signs', () => {
  const through = (change: (header: JsonObject, claims: JsonObject) => [JsonObject, JsonObject]) =>
    new IdentityProvider(
      trust.issuer,
      hookSigner(async (header, claims) => {
        const [signed, said] = change(header, claims);
        return (
          await new IdentityProvider(trust.issuer, keySigner(trust.key), () => now).mint(user, audience, {
            header: signed,
            claims: said,
          })
        ).token;
      }),
      () => now,
    );

  test('gets header and claims as they are to be signed', async () => {
    const faithful = new IdentityProvider(
      trust.issuer,
      hookSigner((header, claims) => keySigner(trust.key).sign({ ...header, kid: 'reference' }, claims)),
      () => now,
    );
    const { token, header } = await faithful.mint(user, audience, { claims: { email_verified: undefined } });
    expect(header.kid).toBe('reference');
    expect(decode(token).claims).not.toHaveProperty('email_verified');
    expect(await faithful.kid(user, audience)).toBe('reference');
    expect(faithful.publicKey).toBeUndefined();
  });

  test('may add claims to a valid assertion, and the assertion that it returns counts', async () => {
    const adding = through((header, claims) => [header, { ...claims, client_id: 'agent', jti: 'its own' }]);
    expect((await adding.mint(user, audience)).claims).toMatchObject({ jti: 'its own', client_id: 'agent' });
  });

  test('that changes what was changed on purpose makes the check skip', async () => {
    const always = through(({ alg: _, ...header }, claims) => [header, claims]);
    await expect(always.mint(user, audience, { header: { alg: 'RS512' } })).rejects.toThrow(Skipped);
    const freshJti = through((header, { jti: _, ...claims }) => [header, claims]);
    await expect(freshJti.mint(user, audience, { claims: { jti: 'used' } })).rejects.toThrow(/jti/);
  });

  test('that refuses odd assertions makes the check skip, and undecided where it refuses good ones', async () => {
    const refusing = new IdentityProvider(
      trust.issuer,
      hookSigner(async () => {
        throw new Undecided('hook mint answered 400');
      }),
      () => now,
    );
    await expect(refusing.mint(user, audience, { claims: { sub: undefined } })).rejects.toThrow(Skipped);
    await expect(refusing.mint(user, audience)).rejects.toThrow(Undecided);
  });
});
