/**
 * Ids of caches beyond 2^53, of which `JSON.parse` can represent only every 256th integer. The suite has to
 * distinguish them, and must not fail a conforming server that uses them.
 */
import { describe, expect, test } from 'vitest';
import { exactJson, withExactIntegers } from '../../lib/http/exact-integers.ts';
import type { Transport } from '../../lib/http/transport.ts';
import { checksOnReference } from '../lib/reference-checks.ts';

const FIRST = 1_764_000_000_000_000_003n;

/** Returns a transport with larger ids in every answer, and the reference's own in every request. */
function enlarging(wire: Transport): Transport {
  const small = (text: string) => text.replaceAll(/\b17640000\d{11}\b/g, (id) => String(BigInt(id) - FIRST));
  return {
    ...wire,
    send: async (request) => {
      const body = request.url.endsWith('/unseed') ? small(request.body ?? '') : request.body;
      const url = request.method === 'DELETE' ? small(request.url) : request.url;
      const { text, ...response } = await wire.send({ ...request, url, body });
      return {
        ...response,
        text: text.replaceAll(/("id":)(\d+)/g, (_, name, id) => name + (BigInt(id) + FIRST)),
      };
    },
  };
}

test.each(['deleting-by-id', 'caches-list', 'caches-entries', 'caches-more-pages'])(
  'checks of %s hold where ids are beyond 2^53',
  async (file) => {
    const results = await checksOnReference('caches', 'cache-management', `${file}.suite`, enlarging);
    expect(results.filter(({ verdict }) => !['passed', 'observed', 'skipped'].includes(verdict))).toEqual([]);
    expect(results.some(({ verdict }) => verdict === 'passed')).toBe(true);
  },
);

describe('integers beyond 2^53', () => {
  test('are read as their digits, and nothing else is touched', () => {
    const json =
      '{"a":1764000000000000003,"b":12,"c":"1764000000000000003 \\" 1764000000000000003","d":[-9007199254740993,0.12345678901234567890,1e400]}';
    expect(withExactIntegers(json)).toBe(
      '{"a":"1764000000000000003","b":12,"c":"1764000000000000003 \\" 1764000000000000003","d":["-9007199254740993",0.12345678901234567890,1e400]}',
    );
  });

  test('are written', () => {
    expect(exactJson({ ids: [1, 1_764_000_000_000_000_003n], text: '#integer:7' })).toBe(
      '{"ids":[1,1764000000000000003],"text":"#integer:7"}',
    );
  });
});
