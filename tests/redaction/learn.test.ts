/** Credentials in answers are redacted under any name; what is not a secret stays readable. */
import { describe, expect, it } from 'vitest';
import { jwtsIn, learnSecrets, membersOf } from '../../lib/model/redaction/learn.ts';
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
});

describe('bodies that a target sends to keep the suite busy', () => {
  const units = [
    'eyJ',
    'eyJ-',
    'eyJhbGciOiJSUzI1NiJ9.',
    'eyJhbGciOiJSUzI1NiJ9.eyJ',
    'eyJhbGciOiJSUzI1NiJ9.eyJ.',
    'eyJ.',
    '.',
    '-',
    '"',
    '\\',
    '\\"',
    '"\\',
    '"token":"\\',
    '"token":"',
    '"token" ',
    '"token"     :',
    ' ',
    '=',
    'token=',
    'token=&',
  ];

  it.each([64 * 1024, 1024 * 1024])('have each of their %i characters looked at twice at most', (length) => {
    for (const unit of units) {
      const text = unit.repeat(length / unit.length);
      let looked = 0;
      const count = (characters: number) => {
        looked += characters;
      };
      for (const _ of jwtsIn(text, count));
      expect(looked, unit).toBeLessThanOrEqual(2 * text.length);
      looked = 0;
      for (const _ of membersOf(text, count));
      expect(looked, unit).toBeLessThanOrEqual(text.length);
    }
  });

  it('yield a bounded number of secrets', () => {
    const many = Array.from({ length: 3000 }, (_, i) => [`n${i}`, `Zq8vT3mKx1Lw9Rb${i}`]);
    const added: string[] = [];
    const redactor = {
      ...createRedactor(),
      isOwnWord: () => false,
      add: (secret: string) => {
        added.push(secret);
      },
    };
    learnSecrets(exchange(JSON.stringify(Object.fromEntries(many))), redactor, true);
    expect(added).toHaveLength(200);
  });

  it('are learnt from and redacted within a bound for each character', () => {
    for (const unit of units) {
      const text = unit.repeat((64 * 1024) / unit.length);
      const redactor = createRedactor();
      redactor.add('Zq8vT3mKx1Lw9RbN', 'client_secret');
      redactor.add('short', 'password');
      learnSecrets(exchange(text), redactor, true);
      redactor.text(text);
      expect(redactor.steps, unit).toBeLessThan(60 * text.length);
    }
  });
});
