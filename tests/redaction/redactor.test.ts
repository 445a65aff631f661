/** Secrets in any encoding are redacted; what is not a secret is left unchanged. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../lib/model/redaction/redactor.ts';

const LABEL = 'the_secret';
const redact = (secret: string, text: string) => {
  const redactor = createRedactor();
  redactor.add(secret, LABEL);
  return redactor.text(text);
};

/** Secrets with every kind of character that some encoding treats specially. */
const secret = fc
  .array(fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.constantFrom(...'+/=%&"\\<>\'\n é€😀')), {
    minLength: 16,
    maxLength: 60,
  })
  .map((chars) => chars.join(''));

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
  'in upper case': (text) => text.toUpperCase(),
  'in lower case': (text) => text.toLowerCase(),
  'in mixed case': (text) => text.replace(/./gs, (char, i) => (i % 2 ? char.toUpperCase() : char)),
  reversed: (text) => [...text].reverse().join(''),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'in upper-case hexadecimal': (text) => Buffer.from(text).toString('hex').toUpperCase(),
};

describe('a secret', () => {
  for (const [name, write] of Object.entries(writings)) {
    it(`does not come through ${name}`, () => {
      fc.assert(
        fc.property(secret, fc.string({ maxLength: 10 }), (value, around) => {
          const written = write(value);
          const answer = redact(value, `${around} ${written} ${around}`);
          expect(answer).not.toContain(written);
          expect(answer).toMatch(new RegExp(`«${LABEL}…?»`));
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

  it('does not come through in what a check made of it and named, in any encoding', () => {
    const redactor = createRedactor();
    redactor.add('Zq8vT3mKx1Lw9RbN', LABEL);
    for (const made of ['Zq8vT3mKx1Lw9Rb', 'Zq8vT3mKx1Lw9RbNx', 'Zq8vT3m_x1Lw9RbN'].map((value) =>
      redactor.derive(value, 'Zq8vT3mKx1Lw9RbN'),
    )) {
      expect(redactor.text(`secret=${made}.`)).toBe(`secret=«${LABEL}…».`);
      expect(redactor.text(Buffer.from(`id:${made}`).toString('base64'))).toMatch(/^aWQ6«the_secret…»=*$/);
    }
    expect(redactor.text('Zq8vT3mKx1Lw9RbN')).toBe(`«${LABEL}»`);
  });

  it('in another letter case is not the secret that a reader could put there', () => {
    expect(redact('Zq8vT3mKx1Lw9RbN', 'ZQ8VT3MKX1LW9RBN')).toBe(`«${LABEL}…»`);
  });

  it('does not come through where a message was shortened within it', () => {
    expect(redact('Zq8vT3mKx1Lw9RbN', '401 {"detail":"no Zq8vT3mKx… (210 characters) or Zq8vT3...')).toBe(
      `401 {"detail":"no «${LABEL}…»… (210 characters) or «${LABEL}…»...`,
    );
  });

  it('does not come through at the end of a text that was cut, even a short beginning of it', () => {
    const redactor = createRedactor();
    redactor.add('Zq8vT3mKx1Lw9RbN', LABEL);
    expect(redactor.deep({ text: '{"token":"Zq8vT3m', bytes: 900, cut: true }).text).toBe(
      `{"token":"«${LABEL}…»`,
    );
  });
});

/** Encodings that a target may apply one after the other. */
const layers: Record<string, (text: string) => string> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'upper-case hexadecimal': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  base32: toBase32,
  reversed: (text) => [...text].reverse().join(''),
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  percent: encodeURIComponent,
  JSON: (text) => JSON.stringify(text),
};
const pairs = Object.keys(layers).flatMap((inner) => Object.keys(layers).map((outer) => [outer, inner]));

function toBase32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digit = (five: string) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)];
  return (bits.match(/.{1,5}/g) ?? []).map(digit).join('');
}

describe('a secret in two encodings', () => {
  it.each(pairs)('%s of %s does not come through', (outer, inner) => {
    const values = ['Zq8vT3mKx1Lw9RbN', 'cs-live_9f3A/b7+C1=d2E5&x', 'pässwörd €42 Zürich-Nord'];
    for (const value of values) {
      for (const [before, after] of [
        ['', ''],
        ['id:', ''],
        ['client=7f:', '&x=1'],
      ]) {
        const written = layers[outer!]!(`${before}${layers[inner!]!(value)}${after}`);
        const answer = redact(value, `{"echo":"${written}"}`);
        expect(answer, written).toMatch(new RegExp(`«${LABEL}…?»`));
      }
    }
  });

  it('is replaced together with as little of its surroundings as possible', () => {
    const written = Buffer.from(`id:${Buffer.from('Zq8vT3mKx1Lw9RbN').toString('hex')}`).toString('base64');
    expect(redact('Zq8vT3mKx1Lw9RbN', `Basic ${written}!`)).toBe(`Basic aWQ6«${LABEL}…»=!`);
  });
});

describe('a short secret', () => {
  it('is replaced only whole', () => {
    expect(redact('hunter2!', 'hunter2! hunter2 hunter')).toBe(`«${LABEL}» hunter2 hunter`);
  });

  it('under eight characters is replaced only where it is a whole value', () => {
    const text = 'tests test_kit: POST /test?a=test&b=tests {"test":"test","x":"a test"} Bearer test';
    expect(redact('test', text)).toBe(
      `tests test_kit: POST /test?a=«${LABEL}»&b=tests {"test":"«${LABEL}»","x":"a test"} Bearer «${LABEL}»`,
    );
    expect(redact('test', 'test')).toBe(`«${LABEL}»`);
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

  it('comes through where it shares words with a secret', () => {
    expect(
      redact(
        'my-organization-1',
        '/organizations/octo/actions {"organization":"my","client_id":"my-organization"}',
      ),
    ).toBe('/organizations/octo/actions {"organization":"my","client_id":"my-organization"}');
  });

  it('comes through where a secret is a word of the suite, but for its place as a value', () => {
    const redactor = createRedactor(() => 'PATH /organizations/{org}/actions/cache read:organization');
    redactor.add('organization', LABEL);
    redactor.add('read:organization', 'scope');
    expect(
      redactor.text(
        '/organizations/octo {"organization":1,"token":"organization"} read:organization granted',
      ),
    ).toBe(`/organizations/octo {"organization":1,"token":"«${LABEL}»"} read:organization granted`);
    expect([...redactor.weak]).toEqual([LABEL, 'scope']);
  });
});

describe('a redactor', () => {
  it('counts what it replaced by label', () => {
    const redactor = createRedactor();
    redactor.add('first-0123456789', 'access_token');
    redactor.add('other-abcdefghij', 'access_token');
    redactor.deep({ a: 'first-0123456789 other-abcdefghij', b: ['first-0123456789'] });
    expect(Object.fromEntries(redactor.counts)).toEqual({ access_token: 3 });
  });

  it('takes a bounded number of steps for each character of any text, and leaves out what takes more', () => {
    const length = 64 * 1024;
    const secrets = [
      'a'.repeat(700),
      `${'a'.repeat(350)}b${'a'.repeat(350)}`,
      ...Array.from({ length: 300 }, (_, i) => `${'ab'.repeat(100)}${i}${'ab'.repeat(100)}`),
    ];
    const texts = [
      'a'.repeat(length),
      'ab'.repeat(length / 2),
      `${'a'.repeat(699)}c`.repeat(length / 700),
      '...'.repeat(length / 3),
      `${'a'.repeat(100)}…`.repeat(length / 101),
      'eyJ'.repeat(length / 3),
      '%61'.repeat(length / 3),
      '\\'.repeat(length),
      '"a":'.repeat(length / 4),
      'Basic '.repeat(length / 6),
    ];
    for (const text of texts) {
      const redactor = createRedactor();
      for (const one of secrets) redactor.add(one, LABEL);
      redactor.add('short', LABEL);
      const before = redactor.steps;
      const answer = redactor.text(text, { cut: true });
      expect(redactor.steps - before).toBeLessThan(60 * text.length + 200_000);
      expect(answer).not.toContain('a'.repeat(700));
    }
  });

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
    for (const one of secrets) redactor.add(one, 'token');
    const unit = '{"id":"5b0e9b1e","alias_name":"Bodega \\u00fanica","address":{"phone":"5550142298"}},';
    const text = Array.from({ length: 500 }, (_, i) => unit.repeat(120) + secrets[i]).join('\n');
    const answer = redactor.text(text);
    expect(answer.match(/«token/g)).toHaveLength(500);
    for (const one of secrets) expect(answer).not.toContain(one.slice(0, 12));
    // The redactor reads the text once as it is, and once more with its escapes undone.
    expect(redactor.steps).toBeLessThan(3 * text.length);
  });
});
