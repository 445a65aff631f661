/** Near misses of `aud` and `iss`: none of them is another spelling of the same URL (RFC 3986 6.2). */
import { expect, test } from 'vitest';
import { faultOf } from '../../services/agents/faults/index.ts';

type FaultBuilder = Parameters<ReturnType<typeof faultOf>['body']>[0];

/** The audience after a fault was applied. */
async function missed(id: string, good: string): Promise<unknown> {
  const faultBuilder = {
    audience: Promise.resolve(good),
    changed: async ({ claims }: { claims: { aud: string } }) => claims.aud,
  };
  return faultOf(id).body(faultBuilder as unknown as FaultBuilder);
}

test.each([
  ['https://api.example/v2', 'https://api.example/V2'],
  ['https://api.example/v2/', 'https://api.example/V2/'],
  ['https://api.example/v2/%7e', 'https://api.example/V2/%7e'],
  ['https://api.example/a?b=c', 'https://api.example/A?b=c'],
])('the case of a letter is changed in the path of %s', async (good, other) => {
  expect(await missed('AGENT-AUD-CASE', good)).toBe(other);
});

test.each(['https://api.example', 'https://api.example/', 'https://api.example/2/%7e', 'urn:example:api'])(
  'there is no letter to change in the path of %s',
  async (good) => {
    await expect(missed('AGENT-AUD-CASE', good)).rejects.toThrow('no path with a letter');
  },
);

test.each([
  ['https://api.example/v2', 'https://api.example/v2/'],
  ['https://api.example/v2/', 'https://api.example/v2'],
  ['https://api.example', 'https://api.example//'],
  ['https://api.example/', 'https://api.example//'],
  ['urn:example:api', 'urn:example:api/'],
])('a slash at the end makes another address of %s', async (good, other) => {
  expect(await missed('AGENT-AUD-SLASH', good)).toBe(other);
  if (URL.canParse(good)) expect(new URL(other).href).not.toBe(new URL(good).href);
});
