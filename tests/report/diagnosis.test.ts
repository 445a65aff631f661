/** Causes are named only where they agree with what was found. */
import { describe, expect, test } from 'vitest';
import type { CheckResult, RunReport } from '../../lib/model/results.ts';
import { Diagnostician, type Signature } from '../../lib/report/diagnosis/diagnose.ts';
import { codesOf, evidenceOf, valueClass } from '../../lib/report/diagnosis/evidence.ts';
import { measure } from '../../lib/report/diagnosis/measure.ts';
import { diagnoseRun } from '../../lib/report/diagnosis/run.ts';
import { parseSignatures, writeSignatures } from '../../lib/report/diagnosis/signatures.ts';
import { sampleReport } from './sample.ts';

const signature = (deviation: string, breaks: string[], found: Record<string, string[]>): Signature => ({
  deviation,
  sentence: `does ${deviation}`,
  breaks,
  found: Object.fromEntries(Object.entries(found).map(([id, evidence]) => [id, codesOf(evidence)])),
});
const failedIn = ({ found }: Signature) => Object.entries(found).map(([id, codes]) => ({ id, codes }));

const KNOWN = [
  signature('delete-201', ['DELETE-STATUS'], { 'DELETE-STATUS': ['201'], 'DELETE-LATER': ['after 201'] }),
  signature('delete-202', ['DELETE-STATUS'], { 'DELETE-STATUS': ['202'], 'DELETE-LATER': ['after 202'] }),
  signature('reset', ['KEPT'], { KEPT: ['null'], 'KEPT/other': ['null'] }),
];

describe('a cause', () => {
  const diagnostician = new Diagnostician(KNOWN);

  test('is a deviation where what was found agrees', () => {
    const [cause] = diagnostician.diagnose(failedIn(KNOWN[0]!));
    expect(cause).toMatchObject({
      deviation: 'delete-201',
      requirement: 'DELETE-STATUS',
      sentence: 'does delete-201',
    });
  });

  test('is no deviation where the same checks found something else', () => {
    const other = signature('', [], { 'DELETE-STATUS': ['204'], 'DELETE-LATER': ['after 204'] });
    expect(diagnostician.diagnose(failedIn(other))).toEqual([]);
  });

  test('is a requirement where several deviations that break it fit alike', () => {
    const alike = new Diagnostician([
      ...KNOWN,
      { ...KNOWN[2]!, deviation: 'reset-too', sentence: 'resets it too' },
    ]);
    const [cause] = alike.diagnose(failedIn(KNOWN[2]!));
    expect(cause).toMatchObject({ requirement: 'KEPT', sentence: '' });
    expect(cause).not.toHaveProperty('deviation');
  });

  test('is not named where it explains less than half of what failed', () => {
    const more = ['A', 'B', 'C', 'D', 'E', 'F'].map((id) => ({ id, codes: '' }));
    expect(diagnostician.diagnose([...failedIn(KNOWN[2]!), ...more])).toEqual([]);
  });

  test('is measured with its own deviation left out', () => {
    const faults = KNOWN.map((each) => ({
      of: [each.deviation],
      breaks: each.breaks,
      failed: failedIn(each),
    }));
    expect(measure(KNOWN, faults)).toEqual({ asked: 3, answered: 0, said: 0, right: 0 });
    const twice = [...KNOWN, { ...KNOWN[2]!, deviation: 'reset-too' }];
    expect(measure(twice, [faults[2]!])).toEqual({ asked: 1, answered: 1, said: 1, right: 1 });
    const wrong = [...KNOWN, { ...KNOWN[2]!, deviation: 'reset-too', breaks: ['ELSE'] }];
    expect(measure(wrong, [faults[2]!])).toEqual({ asked: 1, answered: 1, said: 1, right: 0 });
  });
});

describe('evidence', () => {
  const finding = (message: string, found?: string) => ({
    findings: [
      { requirement: 'R', message, exchange: 'x1', pointer: '/data/3/name', ...(found && { found }) },
    ],
  });
  const seen = (message: string, found?: string) => evidenceOf(finding(message, found), () => undefined);

  test('is the same whatever the test data', () => {
    expect(seen('/data/3/name is "Ana 1-275", not "Ana"', '"Ana 1-275"')).toEqual(
      seen('/data/3/name is "«client_secret»", not "Eva \\"x\\""', '"«client_secret»"'),
    );
    expect(seen('e08bd8ee-7245-49bc-992a-917beb69f49 was deleted')).toEqual(
      seen('81ef0e4f-d193-40d0-a6ba-abfcf60bd0c_ was deleted'),
    );
    expect(seen('2026-11-29T10:04:12Z comes after 2026-11-29T11:00:00.5+01:00')).toEqual(
      seen('2027-01-02T23:59:59Z comes after 2027-01-03T00:00:00Z'),
    );
    expect(seen("refused, although ana.o'b+x@mail.example.com is an email address")).toEqual(
      seen('refused, although x@y.example is an email address'),
    );
    expect(seen('GET http://a.test/1 said 12')).toEqual(seen('GET https://b.test/2?x said 345'));
    expect(seen('it is {"a":1,"b":[2… (300 characters), not text')).toEqual(
      seen('it is [{"c":2}], not text'),
    );
  });

  test('differs with the kind of value and with the status', () => {
    expect(
      new Set(['null', '""', '"a"', '12', '-1', '"12"', '[]', '{"a":1}', 'nothing'].map(valueClass)).size,
    ).toBe(9);
    expect(seen('the answer has status 201')).not.toEqual(seen('the answer has status 204'));
  });
});

test('signatures are read as they were written', () => {
  expect(parseSignatures(writeSignatures(KNOWN))).toEqual(KNOWN);
  expect(parseSignatures('[{"deviation":"of an older format"}]')).toEqual([]);
});

describe('a run', () => {
  const report = (): RunReport => sampleReport();
  const known = (each: RunReport): Signature[] => {
    const failed = each.checks.filter(({ verdict }) => verdict === 'failed').slice(0, 1);
    const found = Object.fromEntries(
      failed.map((check) => [check.id, codesOf(evidenceOf(check, byId(each)))]),
    );
    return [{ deviation: 'd', sentence: 's', breaks: [failed[0]!.findings[0]!.requirement], found }];
  };
  const byId = (each: RunReport) => (id: string) =>
    each.checks.flatMap(({ exchanges }) => exchanges).find((exchange) => exchange.id === id);

  test('gets the cause that fits, and the signatures are loaded only then', () => {
    const each = report();
    each.checks = each.checks.filter(
      (check, i, all) =>
        check.verdict !== 'failed' || i === all.findIndex(({ verdict }) => verdict === 'failed'),
    );
    expect(diagnoseRun(each, () => known(each))).toMatchObject([{ deviation: 'd' }]);
    each.checks = each.checks.filter(({ verdict }) => verdict !== 'failed');
    expect(diagnoseRun(each, () => expect.fail('nothing failed'))).toEqual([]);
  });

  test('gets none for a suite most of which is blocked', () => {
    const each = report();
    const signatures = known(each);
    const [failed] = each.checks.filter(({ verdict }) => verdict === 'failed') as [CheckResult];
    const blocked = each.checks
      .filter(({ suite }) => suite === failed.suite)
      .map((check): CheckResult => ({ ...check, verdict: 'blocked' }));
    each.checks = [failed, ...blocked];
    expect(diagnoseRun(each, () => signatures)).toEqual([]);
  });
});
