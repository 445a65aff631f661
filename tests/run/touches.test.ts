/** Checks declare what they change, since that decides which others may run beside them. */
import { describe, expect, test } from 'vitest';
import { allServices } from '../../lib/check/services.ts';
import { loadPlan } from '../../lib/run/plan.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';

/** Requests that change something that checks share, and the name of that in `touches`. */
const CHANGES: Readonly<Record<string, RegExp>> = {
  addresses: /^shipping: (POST|PATCH|DELETE) \S*\/address_templates(\/{id})?$/,
  caches: /^caches: (DELETE|hook (un)?seed)/,
  'retention limits': /^caches: PUT \S*\/retention-limit/,
  'storage limits': /^caches: PUT \S*\/storage-limit/,
};

describe('what the requests of a check change is declared', async () => {
  const { checks: planned, endpoints } = loadPlan();
  const checks = await checksOfSuites(allServices().flatMap(({ suites }) => suites));
  test.each(Object.entries(CHANGES))('%s', (name, changing) => {
    const sends = (id: string) => (planned[id]?.sends ?? []).map(([nth]) => endpoints[nth] as string);
    const undeclared = checks
      .filter(({ effects, touches }) => effects !== 'read' && touches[name] === undefined)
      .filter(({ id }) => sends(id).some((endpoint) => changing.test(endpoint)));
    expect(undeclared.map(({ id }) => id)).toEqual([]);
    expect(checks.filter(({ id }) => sends(id).some((each) => changing.test(each)))).not.toEqual([]);
  });
});
