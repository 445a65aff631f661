/**
 * Values close to the right `aud` or `iss`: none of them is another spelling of the same URL (RFC 3986 6.2).
 */
import { expect, test } from 'vitest';
import { allFaults, type Fault, nameOf } from '../../services/agents/faults/index.ts';

type FaultBuilder = Parameters<Fault['body']>[0];

/** Returns the audience that a fault makes of the good one. */
async function missed(id: string, good: string): Promise<unknown> {
  const faultBuilder = {
    audience: Promise.resolve(good),
    changed: async ({ claims }: { claims: { aud: string } }) => claims.aud,
  };
  const fault = allFaults.find((each) => nameOf(each) === id);
  return fault?.body(faultBuilder as unknown as FaultBuilder);
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

test.each([
  ['subdomain', 'https://api.example/v2', 'https://conformance.api.example/v2'],
  ['subdomain', 'http://localhost:8080', 'http://conformance.localhost:8080'],
  ['subdomain', 'http://127.0.0.1:8080/v2', 'http://127.0.0.2:8080/v2'],
  ['port', 'https://api.example/v2', 'https://api.example:8443/v2'],
  ['port', 'http://127.0.0.1:8443/v2', 'http://127.0.0.1:8444/v2'],
])('another %s makes another address of %s', async (name, good, other) => {
  expect(await missed(`AGENT-AUD-OTHER/${name}`, good)).toBe(other);
});

test.each([
  ['subdomain', 'http://[::1]:8080/v2'],
  ['port', 'http://[::1]:8080/v2'],
  ['subdomain', 'urn:example:api'],
  ['port', 'urn:example:api'],
])('there is no other %s of %s', async (name, good) => {
  await expect(missed(`AGENT-AUD-OTHER/${name}`, good)).rejects.toThrow('no host with a name');
});
