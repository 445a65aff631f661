/** No secret, whole or in part, however it is written, comes through; what is no secret does. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../lib/report/redact.ts';

const LABEL = 'the_secret';
const redact = (secret: string, text: string) => {
  const redactor = createRedactor();
  redactor.add(secret, LABEL);
  return redactor.text(text);
};

/** Secrets with every kind of character that some encoding treats in its own way. */
const secret = fc
  .array(fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.constantFrom(...'+/=%&"\\<>\'\n é€😀')), {
    minLength: 16,
    maxLength: 60,
  })
  .map((chars) => chars.join(''));

const jwt = `${Buffer.from('{"alg":"RS256","typ":"oauth-id-jag+jwt"}').toString('base64url')}.${Buffer.from(
  '{"iss":"https://idp.example","sub":"user-17","jti":"c0ffee"}',
).toString('base64url')}.${randomBytes(256).toString('base64url')}`;

const upperHex = (text: string) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
const html = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const writings: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded in lower case': (text) => upperHex(encodeURIComponent(text)),
  'percent-encoded throughout': (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'form-encoded': (text) => new URLSearchParams({ v: text }).toString().slice(2),
  'in JSON': (text) => JSON.stringify(text),
  'in JSON, every character escaped': (text) =>
    text.replace(/[\s\S]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in JSON within JSON': (text) => JSON.stringify({ body: JSON.stringify({ v: text }) }),
  'in HTML': html,
};

describe('a secret', () => {
  for (const [name, write] of Object.entries(writings)) {
    it(`does not come through ${name}`, () => {
      fc.assert(
        fc.property(secret, fc.string({ maxLength: 10 }), (value, around) => {
          const written = write(value);
          const answer = redact(value, `${around} ${written} ${around}`);
          expect(answer).not.toContain(written);
          // Where a secret itself looks like an escape, it may be known by its parts.
          expect(answer).toMatch(new RegExp(`«${LABEL}…?»`));
          for (let i = 0; i + 12 <= value.length; i++) expect(answer).not.toContain(value.slice(i, i + 12));
        }),
        { numRuns: 200 },
      );
    });
  }

  it('does not come through in base64 or base64url, at any alignment and between any bytes', () => {
    fc.assert(
      fc.property(
        secret,
        fc.uint8Array({ maxLength: 9 }),
        fc.uint8Array({ maxLength: 9 }),
        fc.constantFrom<BufferEncoding>('base64', 'base64url'),
        (value, before, after, encoding) => {
          const bytes = Buffer.concat([before, Buffer.from(value), after]);
          const answer = redact(value, `Basic ${bytes.toString(encoding)}!`);
          expect(answer).toMatch(new RegExp(`^Basic [\\w+/=-]{0,16}«${LABEL}…?»[\\w+/=-]{0,16}!$`));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('does not come through form-encoded within base64, as RFC 6749 has it', () => {
    const value = 'p/q+r s&t=u-v:w%x';
    const credentials = Buffer.from(`id:${encodeURIComponent(value)}`).toString('base64');
    expect(redact(value, credentials)).toMatch(new RegExp(`^aWQ6«${LABEL}»=*$`));
  });

  it('does not come through in part: any twelve characters of it', () => {
    fc.assert(
      fc.property(secret, fc.nat(), fc.nat(), (value, a, b) => {
        const start = a % (value.length - 12);
        const part = value.slice(start, start + 12 + (b % (value.length - start - 11)));
        expect(redact(value, `<${part}>`)).not.toContain(part);
      }),
      { numRuns: 500 },
    );
  });

  it('does not come through at the end of a text that was cut, even a short beginning of it', () => {
    const redactor = createRedactor();
    redactor.add('Zq8vT3mKx1Lw9RbN', LABEL);
    expect(redactor.deep({ text: '{"token":"Zq8vT3m', bytes: 900, cut: true }).text).toBe(
      `{"token":"«${LABEL}…»`,
    );
  });

  it('is a token whose parts stand apart, or that was altered', () => {
    const [head, payload, signature] = jwt.split('.') as [string, string, string];
    const altered = `${jwt.slice(0, 150)}#${jwt.slice(151)}`;
    const answer = redact(jwt, [head, payload, signature, altered, jwt].join('\n'));
    expect(answer).toBe(
      [`«${LABEL}…»`, `«${LABEL}…»`, `«${LABEL}…»`, `«${LABEL}…»#«${LABEL}…»`, `«${LABEL}»`].join('\n'),
    );
  });
});

describe('a short secret', () => {
  it('is replaced only whole', () => {
    expect(redact('hunter2!', 'hunter2! hunter2 hunter')).toBe(`«${LABEL}» hunter2 hunter`);
  });

  it('that reads like a word is replaced only where it stands alone', () => {
    expect(redact('test', 'tests of test_kit: client_secret=test, "test"')).toBe(
      `tests of test_kit: client_secret=«${LABEL}», "«${LABEL}»"`,
    );
  });

  it('of under four characters is replaced only as the value of a credential', () => {
    expect(redact('abc', 'abc page=abc client_secret=abc&x=1 {"password": "abc"} Bearer abc')).toBe(
      `abc page=abc client_secret=«${LABEL}»&x=1 {"password": "«${LABEL}»"} Bearer «${LABEL}»`,
    );
  });

  it('is found in Basic credentials', () => {
    expect(redact('abc', `Basic ${Buffer.from('id:abc').toString('base64')}`)).toBe(`Basic «${LABEL}»`);
  });

  it('that is empty is none', () => {
    expect(redact('', 'text')).toBe('text');
  });
});

describe('what is no secret', () => {
  it('comes through as it was', () => {
    const other = fc.string({ maxLength: 60 });
    fc.assert(
      fc.property(other, (text) => {
        expect(redact('Zq8vT3mKx1Lw9RbN-7', text)).toBe(text);
      }),
    );
  });

  it('comes through where a public value shares characters with a secret', () => {
    const redactor = createRedactor();
    redactor.add('reference-client-secret-1', LABEL);
    redactor.keep('reference-client');
    expect(redactor.text('client_id=reference-client&client_secret=reference-client-secret-1')).toBe(
      `client_id=reference-client&client_secret=«${LABEL}»`,
    );
  });
});

describe('a redactor', () => {
  it('tells secrets with the same label apart', () => {
    const redactor = createRedactor();
    redactor.add('first-0123456789', 'access_token');
    redactor.add('other-abcdefghij', 'access_token');
    expect(redactor.text('first-0123456789 other-abcdefghij')).toBe('«access_token» «access_token 2»');
  });

  it('redacts keys and values of data at any depth, and leaves the data it was given alone', () => {
    const redactor = createRedactor();
    redactor.add('Zq8vT3mKx1Lw9RbN', LABEL);
    const data = { list: [{ Zq8vT3mKx1Lw9RbN: 1, n: null, b: true }], text: 'a Zq8vT3mKx1Lw9RbN' };
    const before = structuredClone(data);
    expect(redactor.deep(data)).toEqual({
      list: [{ [`«${LABEL}»`]: 1, n: null, b: true }],
      text: `a «${LABEL}»`,
    });
    expect(data).toEqual(before);
  });

  it('reads five megabytes for five hundred secrets in one pass', () => {
    const redactor = createRedactor();
    const secrets = Array.from({ length: 500 }, (_, i) =>
      randomBytes(i % 3 ? 32 : 500).toString('base64url'),
    );
    const started = performance.now();
    for (const one of secrets) redactor.add(one, 'token');
    const added = performance.now();
    const unit = '{"id":"5b0e9b1e","alias_name":"Bodega \\u00fanica","address":{"phone":"5550142298"}},';
    const text = Array.from({ length: 500 }, (_, i) => unit.repeat(120) + secrets[i]).join('\n');
    const answer = redactor.text(text);
    const took = performance.now() - added;
    console.log(
      `redaction: ${(text.length / 1e6).toFixed(1)} MB in ${took.toFixed(0)} ms, 500 secrets added in ${(added - started).toFixed(0)} ms`,
    );
    expect(answer.match(/«token/g)).toHaveLength(500);
    for (const one of secrets) expect(answer).not.toContain(one.slice(0, 12));
    expect(took).toBeLessThan(20_000);
  });
});
