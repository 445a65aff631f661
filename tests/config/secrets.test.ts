/** Which values of a configuration are secrets. */
import { expect, it } from 'vitest';
import { redactorFor } from '../../lib/config/secrets.ts';
import type { ResolvedTarget } from '../../lib/config/types.ts';

const target = (more: object): ResolvedTarget =>
  ({ name: 'mine', embedded: false, hooks: {}, ...more }) as ResolvedTarget;

it('keys, headers with and without their scheme, and what URLs carry', () => {
  const redactor = redactorFor(
    target({
      shipping: {
        baseUrl: 'https://someone:PassWord-0123%2F@api.example/v1?sig=Signature-0123456&page=Public-0123456',
        clientId: 'Client-0123456789',
        clientSecret: 'ClientSecret-0123',
        headers: { 'x-gateway': 'Bearer Gateway-0123456' },
      },
      hooks: { clock: { url: 'https://hooks.example/clock?api_key=HookKey-0123456#token=HookToken-0123' } },
    }),
    ['address-book'],
  );
  for (const secret of [
    'PassWord-0123/',
    'PassWord-0123%2F',
    'Signature-0123456',
    'ClientSecret-0123',
    'Gateway-0123456',
    'HookKey-0123456',
    'HookToken-0123',
  ]) {
    expect(redactor.text(`is ${secret}.`)).toMatch(/^is «[^»]+»\.$/);
  }
  for (const shown of ['someone', 'api.example/v1', 'Public-0123456', 'Client-0123456789']) {
    expect(redactor.text(`is ${shown}.`)).toBe(`is ${shown}.`);
  }
});

it('a token that is a word of the specification is not redacted in paths and texts', () => {
  const redactor = redactorFor(target({ caches: { baseUrl: 'https://a.example', token: 'organization' } }), [
    'cache-management',
  ]);
  const url = 'https://a.example/organizations/octo/actions/cache/usage and organization limits';
  expect(redactor.text(url)).toBe(url);
  expect(redactor.text('Bearer organization')).toBe('Bearer «token»');
  expect([...redactor.weak]).toEqual(['token']);
});

it('a token that contains a word of the specification is redacted, and nothing else is', () => {
  const redactor = redactorFor(
    target({ caches: { baseUrl: 'https://a.example', token: 'my-organization-cache-1' } }),
    ['cache-management'],
  );
  const url = 'https://a.example/organizations/my-organization/actions/cache/usage-by-repository';
  expect(redactor.text(url)).toBe(url);
  expect(redactor.text('Bearer my-organization-cache-1')).toBe('Bearer «token»');
});
