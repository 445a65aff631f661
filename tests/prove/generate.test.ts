import { describe, expect, test } from 'vitest';
import { generateDeviations } from '../../deviations/generate/index.ts';
import { mutationsOf } from '../../deviations/generate/mutations.ts';
import { sample } from '../../deviations/kit/sample.ts';
import { indexSchemas, reachable, type SchemaNode, visitObjects } from '../../deviations/kit/walk.ts';
import type { Surface } from '../../deviations/types.ts';
import { Validator } from '../../lib/check/validator.ts';

const inner = {
  $id: 'Inner',
  type: 'object',
  required: ['code', 'note'],
  properties: {
    code: { type: 'string', pattern: '^[A-Z]{2}$' },
    note: { type: ['string', 'null'] },
    count: { type: 'integer', minimum: 0, maximum: 20 },
  },
};
const outer = {
  $id: 'Outer',
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'array', items: { $ref: 'Inner' } } },
};
const schemas = indexSchemas([inner, outer]);
const body = () => ({ data: [{ code: 'MX', note: null, count: 3 }] });

describe('mutations', () => {
  test('every one of them makes a good object misfit, and at that property only', () => {
    const validator = new Validator([inner, outer]);
    const seen: string[] = [];
    for (const [property, node] of Object.entries(inner.properties)) {
      const required = inner.required.includes(property);
      for (const { name, apply } of mutationsOf(schemas, node as SchemaNode, required)) {
        const broken = body();
        apply(broken.data[0] as Record<string, unknown>, property);
        const misfits = validator.check('Outer', broken).map(({ pointer }) => pointer);
        // A mutation that changes only values that are not null would show on another body.
        if (misfits.length > 0) expect(misfits).toEqual([`/data/0/${property}`]);
        else expect(name).toBe('type');
        seen.push(`${property} ${name}`);
      }
    }
    expect(seen).toContain('code pattern');
    expect(seen).toContain('note absent-when-null');
    expect(seen).toContain('count maximum');
    expect(seen).not.toContain('note null');
    expect(seen).not.toContain('count absent');
  });
});

describe('walking', () => {
  test('finds every object of a schema, through references and lists', () => {
    const found: unknown[] = [];
    const two = { data: [{ code: 'MX' }, { code: 'US' }] };
    visitObjects(schemas, outer as SchemaNode, two, 'Inner', (object) => found.push(object.code));
    expect(found).toEqual(['MX', 'US']);
    expect([...reachable(schemas, 'Outer').keys()]).toEqual(['Outer', 'Inner']);
  });

  test('a sample fits its schema', () => {
    expect(new Validator([inner, outer]).check('Outer', sample(schemas, outer as SchemaNode))).toEqual([]);
  });
});

describe('generated deviations', () => {
  const surface: Surface = {
    schemas: [inner, outer],
    answers: [
      {
        name: 'list',
        method: 'GET',
        path: /^\/list$/,
        status: 200,
        schema: 'Outer',
        statusRequirement: 'X-STATUS',
        neighbours: [201, 204],
        bodyRequirement: 'X-BODY',
        headers: { 'X-Total': 'X-HEADER' },
      },
    ],
    unreachable: [/null-as-text/],
  };
  const generated = generateDeviations<object>(surface, { 'Inner/code': 'X-CODE' });
  const serve = async (id: string, path = '/list') => {
    const { wrap } = generated.find((each) => each.id === id)!;
    const next = async () => Response.json(body(), { headers: { 'x-total': '1' } });
    const clock = { now: () => 0, advance: () => {} };
    return wrap!(next, clock)(new Request(`http://server.test${path}`));
  };

  test('have ids of their own and break what the catalogue says', () => {
    const ids = generated.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const breaks = new Set(generated.flatMap((each) => each.breaks));
    expect(breaks).toEqual(new Set(['X-CODE', 'X-STATUS', 'X-BODY', 'X-HEADER']));
    expect(ids.filter((id) => id.includes('null-as-text'))).toEqual([]);
  });

  test('change the answers that they are about and no others', async () => {
    expect(await (await serve('list/Inner.code/absent')).json()).toEqual({
      data: [{ note: null, count: 3 }],
    });
    expect(await (await serve('list/Inner.code/absent', '/other')).json()).toEqual(body());
    const empty = await serve('list/status/204');
    expect([empty.status, await empty.text()]).toEqual([204, '']);
    expect((await serve('list/header/x-total/absent')).headers.has('x-total')).toBe(false);
    expect(await (await serve('list/body/array')).json()).toEqual([body()]);
  });
});
