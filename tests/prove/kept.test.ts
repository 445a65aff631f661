/** Outcomes that are kept from one proof to the next. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allCases, filesOf } from '../../deviations/index.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import { bases, entryFiles } from '../../lib/prove/basis.ts';
import { drawn } from '../../lib/prove/due.ts';
import { Imports } from '../../lib/prove/imports.ts';
import { Kept } from '../../lib/prove/kept.ts';
import { fieldRequirements, loadCases } from '../../lib/prove/load.ts';
import type { CaseOutcome, ProofCase } from '../../lib/prove/model.ts';
import { suiteFiles } from '../../lib/run/suite-files.ts';
import { temporaryFolder } from '../lib/conform.ts';

const outcome = (id: string): CaseOutcome => ({
  id,
  checks: 1,
  requests: 1,
  durationMs: 1,
  notable: [],
  skipped: [],
  passed: [],
});

describe('what a file imports', () => {
  const folder = () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'kit'));
    writeFileSync(join(root, 'a.js'), "import { b } from './b.js';\nconst c = await import('./kit/c.js');\n");
    writeFileSync(join(root, 'b.js'), "export * from './a.js';\nimport x from 'elsewhere';\n");
    writeFileSync(join(root, 'kit/c.js'), "export type { D } from '../d.js';\n");
    return root;
  };

  test('is found in circles, behind a dynamic import, and not outside', () => {
    const root = folder();
    const names = [...new Imports().below(join(root, 'a.js'))].map((file) => file.slice(root.length + 1));
    expect(names.sort()).toEqual(['a.js', 'b.js', 'kit/c.js']);
  });

  test('a digest changes when a file does, whatever the order', () => {
    const root = folder();
    const [a, b] = [join(root, 'a.js'), join(root, 'b.js')];
    const before = new Imports().digest([a, b]);
    expect(new Imports().digest([b, a, b])).toBe(before);
    writeFileSync(b, 'export {};\n');
    expect(new Imports().digest([a, b])).not.toBe(before);
  });
});

describe('the files that a case is written in', async () => {
  const fields = fieldRequirements();
  const files = await filesOf(fields);

  test('are known for each deviation, pair and variant by hand', () => {
    const without = [...allCases(fields).values()]
      .map(({ facts }) => facts)
      .filter(({ kind, origin, of }) =>
        kind === 'pair'
          ? of?.some((each) => !each.includes('/generated/'))
          : origin === 'hand' && /deviation|variant/.test(kind),
      )
      .filter(({ id }) => files.get(id)?.length === 0)
      .map(({ id }) => id);
    expect(without).toEqual([]);
  });

  test('are those of both for a pair', () => {
    const pair = [...allCases(fields).values()].find(({ facts }) => facts.kind === 'pair')!.facts;
    for (const each of pair.of ?? [])
      expect(files.get(pair.id)).toEqual(expect.arrayContaining(files.get(each)!));
  });
});

describe('outcomes', () => {
  let facts: ProofCase;
  const open = (folder: string, how: unknown = {}) => Kept.open(folder, ['oauth-token'], how);

  test('are reused while nothing has changed, and not for other options', async () => {
    facts = (await loadCases()).find(({ id }) => id === 'shipping/revoke-not-bound')!;
    const folder = join(temporaryFolder(), 'not-there-yet');
    const kept = await open(folder);
    expect(kept.outcomeOf(facts)).toBeUndefined();
    kept.write([{ facts, outcome: outcome(facts.id) }]);
    expect((await open(folder)).outcomeOf(facts)).toEqual({ outcome: outcome(facts.id), changed: [] });
    expect((await open(folder, { reached: true })).outcomeOf(facts)).toBeUndefined();
    expect((await open(folder)).outcomeOf({ ...facts, entails: ['X'] })).toBeUndefined();
  });

  test('depend on the checks and the reference, and not on other deviations', () => {
    const imports = new Imports();
    const below = imports.below(join(packageRoot(), 'deviations/shipping/oauth-revoke.ts'));
    expect([...below].some((file) => file.includes('/deviations/caches/'))).toBe(false);
  });

  test('of one service do not depend on the checks of another', async () => {
    const imports = new Imports();
    const dependsOn = (entries: readonly string[]) => {
      const files = entries.flatMap((file) => [...imports.below(file)]);
      return [
        ...new Set(files.flatMap((file) => /\/(suites|services)\/([\w-]+)\//.exec(file)?.[2] ?? [])),
      ].sort();
    };
    const checks = suiteFiles().get('cache-management')!;
    expect(dependsOn(entryFiles('caches'))).toEqual(['caches']);
    expect(dependsOn([...entryFiles('caches'), ...checks])).toEqual(['cache-management', 'caches']);
    const basisOf = await bases(['cache-management', 'oauth-token'], {});
    const basis = basisOf((await loadCases()).find(({ id }) => id === 'caches/reference')!);
    expect(new Set(Object.keys(basis.checks).map((file) => file.split('/')[1]))).toEqual(
      new Set(['cache-management']),
    );
  });

  test('are checked for as many cases as were asked for, drawn by the seed', () => {
    const draws = (oneIn: number, seed: number) => {
      const isDrawn = drawn({ oneIn, seed });
      return Array.from({ length: 1000 }, () => isDrawn());
    };
    expect(draws(1, 1)).not.toContain(false);
    expect(draws(10, 1).filter(Boolean).length).toBeGreaterThan(50);
    expect(draws(10, 1).filter(Boolean).length).toBeLessThan(150);
    expect(draws(10, 1)).toEqual(draws(10, 1));
    expect(draws(10, 1)).not.toEqual(draws(10, 2));
    expect(drawn(undefined)()).toBe(false);
  });
});
