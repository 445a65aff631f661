/** What answers hand out is known as a secret under any name; what is none stays readable. */
import { describe, expect, it } from 'vitest';
import { jwtsIn, learnSecrets } from '../../lib/model/redaction/learn.ts';
import { createRedactor } from '../../lib/model/redaction/redactor.ts';
import type { Exchange, HeaderPair } from '../../lib/model/results.ts';

const exchange = (text: string, headers: HeaderPair[] = []): Exchange => ({
  id: 'x1',
  purpose: 'ask for an access token',
  startedAt: '2025-03-18T09:24:07.318Z',
  durationMs: 1,
  request: { method: 'POST', url: 'http://127.0.0.1/', headers: [] },
  response: { status: 200, headers, body: { text, bytes: text.length } },
});

const redact = (text: string, answer: Exchange, issues = false) => {
  const redactor = createRedactor();
  learnSecrets(answer, redactor, issues);
  return redactor.text(text);
};

const value = 'Zq8vT3mKx1Lw9RbN';
const jwt = `${Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url')}.eyJzdWIiOiJ4In0.c2lnbmF0dXJl`;

describe('learnSecrets', () => {
  it.each(['access_token', 'accessToken', 'apiCredential', 'api_key', 'clientSecret', 'id_token'])(
    'knows what stands under the name %s in any answer',
    (name) => {
      for (const text of [
        JSON.stringify({ [name]: value }),
        JSON.stringify({ data: [{ [name]: value }] }, null, 2),
        `{"${name}":"${value}","rest":"cut he`,
        `token_type=bearer&${name}=${value}`,
      ]) {
        expect(redact(`got ${value}`, exchange(text))).toBe(`got «${name}»`);
      }
    },
  );

  it('knows whatever looks like a credential in the answer to a token or registration request', () => {
    const text = JSON.stringify({ handle: value, nested: { it: ['x', 'y'] } });
    expect(redact(value, exchange(text), true)).toBe('«handle»');
    expect(redact(value, exchange(text))).toBe(value);
  });

  it('leaves ids, times, addresses, scopes and words of such an answer as they are', () => {
    const members = {
      id: '5b0e9b1e-64f7-4f0c-9a53-0c4a1a1f3d77',
      account: '5b0e9b1e-64f7-4f0c-9a53-0c4a1a1f3d77',
      client_id: 'Client-0123456789-abc',
      created: '2025-03-18T09:24:07.318Z',
      documentation: 'https://api.example/docs/V2/key0123456789',
      scope: 'service:global service:Region17',
      token_type: 'Bearer',
      contact: 'Someone0123456@example.org',
      note: 'Handle with care, version 2 of the key',
    };
    for (const text of Object.values(members)) {
      expect(redact(text, exchange(JSON.stringify(members)), true)).toBe(text);
    }
  });

  it('knows cookies, and credentials in the addresses of headers', () => {
    expect(redact(value, exchange('', [['set-cookie', `session=${value}; Path=/`]]))).toBe('«cookie»');
    expect(redact(value, exchange('', [['location', `https://a.example/#access_token=${value}&x=1`]]))).toBe(
      '«access_token»',
    );
  });

  it('knows JWTs wherever they stand', () => {
    expect(redact(jwt, exchange(`<p>not understood: ${jwt}</p>`))).toBe('«jwt»');
  });
});

describe('jwtsIn', () => {
  it('finds what has the shape, within longer runs too', () => {
    expect([...jwtsIn(`a ${jwt}, x-${jwt} and eyJ.eyJ.x`)]).toEqual([jwt, jwt]);
  });

  it.each([64 * 1024, 1024 * 1024])('looks at each of %i characters a few times at most', (length) => {
    for (const unit of [
      'eyJ',
      'eyJ-',
      'eyJhbGciOiJSUzI1NiJ9.',
      'eyJhbGciOiJSUzI1NiJ9.eyJ',
      'eyJ.',
      '.',
      '-',
    ]) {
      const text = unit.repeat(length / unit.length);
      // The texts that are found do not overlap: together they are no longer than the body.
      const found = [...jwtsIn(text)].reduce((sum, one) => sum + one.length, 0);
      expect(found).toBeLessThanOrEqual(text.length);
    }
  });
});
