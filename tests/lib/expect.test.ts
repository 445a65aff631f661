/** Blame: a field that does not fit fails its own requirement, and no other. */
import { describe, expect, test } from 'vitest';
import { Expect } from '../../lib/check/expect.ts';
import { short, Validator } from '../../lib/check/validator.ts';
import type { Finding, Verdict } from '../../lib/model/results.ts';
import { Violation } from '../../lib/model/verdict.ts';
import { answerOf, requirement } from './fakes.ts';

const SCHEMAS = new Validator([
  {
    $id: 'List',
    type: 'object',
    required: ['data'],
    properties: { data: { type: 'array', items: { $ref: 'Item' } }, next: { type: 'integer' } },
  },
  {
    $id: 'Item',
    type: 'object',
    required: ['id', 'tag', 'owner'],
    properties: {
      id: { type: 'string', pattern: '^[a-z]+$' },
      tag: { type: ['string', 'null'] },
      when: { type: 'string', format: 'date-time' },
      owner: { $ref: 'Owner' },
      'a/b': { const: 1 },
    },
  },
  {
    $id: 'Owner',
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, kind: { enum: ['x', 'y'] } },
  },
]);

const FIELDS = [
  'Item/id',
  'Item/tag',
  'Item/when',
  'Item/owner',
  'Owner/name',
  'Owner/kind',
  'List/data',
  'Item/a/b',
];
const ID = (field: string) => field.toUpperCase().replaceAll(/[^A-Z]/g, '-');
const CITED = [requirement('LIST'), ...FIELDS.map((field) => requirement(ID(field), { field }))];

/** What `fields` says of a body. */
function fieldsOf(
  body: unknown,
  verdicts = new Map<string, Verdict>(),
): { verdicts: Record<string, Verdict>; findings: Finding[] } {
  const findings: Finding[] = [];
  new Expect('LIST', CITED, verdicts, findings).fields(answerOf(200, body), SCHEMAS, 'List');
  return { verdicts: Object.fromEntries(verdicts), findings };
}

const GOOD = {
  id: 'abc',
  tag: null,
  when: '2026-01-01T00:00:00Z',
  owner: { name: 'n', kind: 'x' },
  'a/b': 1,
};

describe('fields', () => {
  test('pass one by one where all fit, and the requirement without a field is not theirs to decide', () => {
    const { verdicts, findings } = fieldsOf({ data: [GOOD, GOOD] });
    expect(verdicts).toEqual(Object.fromEntries(FIELDS.map((field) => [ID(field), 'passed'])));
    expect(findings).toEqual([]);
  });

  const FAULTS: [what: string, item: unknown, field: string, pointer: string][] = [
    ['a field of the wrong type', { ...GOOD, id: 7 }, 'Item/id', '/data/1/id'],
    ['a field that does not match', { ...GOOD, id: 'A1' }, 'Item/id', '/data/1/id'],
    ['a field that is missing', { ...GOOD, tag: undefined }, 'Item/tag', '/data/1/tag'],
    ['a date that is none', { ...GOOD, when: 'yesterday' }, 'Item/when', '/data/1/when'],
    ['a field of a nested object', { ...GOOD, owner: { name: null } }, 'Owner/name', '/data/1/owner/name'],
    [
      'a value that is not allowed',
      { ...GOOD, owner: { name: 'n', kind: 'z' } },
      'Owner/kind',
      '/data/1/owner/kind',
    ],
    ['an object that is none', { ...GOOD, owner: 'me' }, 'Item/owner', '/data/1/owner'],
    ['a name with a slash', { ...GOOD, 'a/b': 2 }, 'Item/a/b', '/data/1/a~1b'],
  ];

  test.each(FAULTS)('%s is blamed on its own requirement alone', (_what, item, field, pointer) => {
    const { verdicts, findings } = fieldsOf({ data: [GOOD, item] });
    const failed = Object.entries(verdicts).filter(([, verdict]) => verdict !== 'passed');
    expect(failed).toEqual([[ID(field), 'failed']]);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ requirement: ID(field), pointer });
    expect(findings[0]?.exchange).toMatch(/^a\d+$/);
  });

  test('are left undecided where no object was returned', () => {
    const { verdicts } = fieldsOf({ data: [] });
    expect(verdicts['LIST-DATA']).toBe('passed');
    expect(verdicts['ITEM-ID']).toBe('blocked');
    expect(verdicts['OWNER-NAME']).toBe('blocked');
  });

  test('that are missing with the object around them are left open, and the object is blamed', () => {
    const { verdicts } = fieldsOf({ data: [{ ...GOOD, owner: undefined }] });
    expect(verdicts['ITEM-OWNER']).toBe('failed');
    expect(verdicts['OWNER-NAME']).toBe('blocked');
    expect(verdicts['ITEM-ID']).toBe('passed');
  });

  test('are all open where the body is no JSON', () => {
    const { verdicts, findings } = fieldsOf('<html>');
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['blocked']));
    expect(findings).toEqual([]);
  });

  test('stay failed when a later answer fits, and are decided when one comes', () => {
    const verdicts = new Map<string, Verdict>();
    fieldsOf({ data: [] }, verdicts);
    fieldsOf({ data: [{ ...GOOD, id: 7 }] }, verdicts);
    const { verdicts: after } = fieldsOf({ data: [GOOD] }, verdicts);
    expect(after['ITEM-ID']).toBe('failed');
    expect(after['ITEM-TAG']).toBe('passed');
  });

  test('are reported five times at most, however long the list', () => {
    const { findings } = fieldsOf({ data: Array.from({ length: 20 }, () => ({ ...GOOD, id: 7 })) });
    expect(findings).toHaveLength(5);
  });
});

describe('assertions', () => {
  const should = new Expect('LIST', CITED, new Map(), []);
  const findingsOf = (assertion: () => void): Finding[] => {
    try {
      assertion();
    } catch (error) {
      expect(error).toBeInstanceOf(Violation);
      return (error as Violation).findings;
    }
    return [];
  };

  test('status takes one or several, and refused takes everything but a success', () => {
    expect(findingsOf(() => should.status(answerOf(404, ''), [400, 404]))).toEqual([]);
    expect(findingsOf(() => should.status(answerOf(500, ''), [400, 404]))).toMatchObject([
      { requirement: 'LIST', pointer: 'status', expected: '400 or 404', found: '500' },
    ]);
    for (const status of [302, 400, 401, 404, 500])
      expect(findingsOf(() => should.refused(answerOf(status, ''), 'why'))).toEqual([]);
    expect(findingsOf(() => should.refused(answerOf(204, ''), 'the key is wrong'))).toMatchObject([
      { message: 'ask for something: accepted with 204, although the key is wrong' },
    ]);
    expect(findingsOf(() => should.accepted(answerOf(201, ''), 'why'))).toEqual([]);
    expect(findingsOf(() => should.accepted(answerOf(404, ''), 'it was made'))).toHaveLength(1);
  });

  test('equal is deep, does not mind the order of keys, and tells values of different type apart', () => {
    expect(findingsOf(() => should.equal({ a: [1], b: null }, { b: null, a: [1] }, 'it'))).toEqual([]);
    for (const [found, expected] of [
      [1, '1'],
      [null, undefined],
      [
        [1, 2],
        [2, 1],
      ],
      [{ a: 1 }, { a: 1, b: undefined }],
    ]) {
      expect(findingsOf(() => should.equal(found, expected, 'it'))).toHaveLength(1);
    }
    expect(findingsOf(() => should.equal('a', 'b', 'the name'))).toMatchObject([
      { message: 'the name is "a", not "b"', expected: '"b"', found: '"a"' },
    ]);
  });

  test.each([
    ['', 'an empty body'],
    ['<html>', 'no JSON'],
    ['[1]', '[1]'],
    ['null', 'null'],
    ['"text"', '"text"'],
  ])('the body %j is not an object', (text, found) => {
    expect(findingsOf(() => should.object(answerOf(200, text)))).toMatchObject([{ found, pointer: '' }]);
  });

  test('schema reports every place where the body does not fit', () => {
    expect(findingsOf(() => should.schema(answerOf(200, { data: [] }), SCHEMAS, 'List'))).toEqual([]);
    expect(
      findingsOf(() => should.schema(answerOf(200, { data: 1, next: 'x' }), SCHEMAS, 'List')).map(
        (f) => f.pointer,
      ),
    ).toEqual(['/data', '/next']);
    expect(findingsOf(() => should.schema(answerOf(200, ''), SCHEMAS, 'List'))).toHaveLength(1);
  });
});

test('short gives a value on one line, cut where it is long', () => {
  expect([undefined, null, 'a\nb', { a: [1] }].map((value) => short(value))).toEqual([
    'nothing',
    'null',
    '"a\\nb"',
    '{"a":[1]}',
  ]);
  expect(short('x'.repeat(200))).toBe(`"${'x'.repeat(119)}… (202 characters)`);
  expect(short('x'.repeat(200), 10)).toBe('"xxxxxxxxx… (202 characters)');
});

describe('what a request did', () => {
  const read = answerOf(200, { name: null });
  const caught = (assert: (expect: Expect) => void): Finding => {
    try {
      assert(new Expect('LIST', CITED, new Map(), []));
    } catch (error) {
      return (error as Violation).findings[0]!;
    }
    throw new Error('nothing was wrong');
  };
  const change = answerOf(200, {});
  change.exchange.id = 'x7';
  read.exchange.id = 'x8';

  test('is told beside what shows it, said once for several assertions', () => {
    expect(caught((e) => e.after(change).that(false, 'reset', { answer: read }))).toMatchObject({
      exchange: 'x8',
      by: 'x7',
    });
    expect(caught((e) => e.that(false, 'reset', { answer: read, by: change }))).toMatchObject({ by: 'x7' });
  });

  test('is the last change of what was read, but not of the form of the answer', () => {
    read.after(change.exchange);
    expect(caught((e) => e.equal(null, 'Ana', '/name', { answer: read }))).toMatchObject({ by: 'x7' });
    expect(caught((e) => e.schema(read, SCHEMAS, 'Owner'))).not.toHaveProperty('by');
  });

  test('is not told where the answer is its own', () => {
    expect(caught((e) => e.after(read).that(false, 'wrong', { answer: read }))).not.toHaveProperty('by');
  });
});
