/**
 * Signatures: a genuine report is told from an altered one, with the places; what proves nothing is refused.
 */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RunReport } from '../../lib/model/results.ts';
import { certificate } from '../../lib/report/html/certificate.ts';
import { writeReports } from '../../lib/report/index.ts';
import { canonicalJson, canonicalPieces, wellFormed } from '../../lib/report/sign/canonical.ts';
import { type SigningKey, signingKey, type TrustedKey, trustedKeys } from '../../lib/report/sign/keys.ts';
import { type ReportSignature, SIGNATURE_FILE, signReport } from '../../lib/report/sign/sign.ts';
import { verifyReport } from '../../lib/report/sign/verify.ts';
import { conformHere, temporaryFile, temporaryFolder } from '../lib/conform.ts';
import { sampleReport } from './sample.ts';

const AT = Date.parse('2026-11-22T05:00:00Z');

interface Pair {
  pem: string;
  publicPem: string;
}

function pairOf({ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }): Pair {
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  };
}

const ours = pairOf(generateKeyPairSync('ed25519'));
const others = pairOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
let report: RunReport;
let signer: SigningKey;
let signature: ReportSignature;
let trusted: TrustedKey[];

const keyIn = (pem: string): string => {
  process.env.CONFORM_TEST_KEY = pem;
  return 'env:CONFORM_TEST_KEY';
};

beforeAll(async () => {
  report = JSON.parse(JSON.stringify(sampleReport())) as RunReport;
  signer = await signingKey(keyIn(ours.pem));
  signature = await signReport(report, signer, AT);
  trusted = await trustedKeys(ours.publicPem, 'test');
});

describe('canonical JSON, by the examples of RFC 8785', () => {
  test('values (3.2.2)', () => {
    const value = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`) as unknown;
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test('order of names by UTF-16 code units (3.2.3)', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(canonicalJson(value).replace('"1"', '"one"')) as object)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  test.each([
    [5e-324, '5e-324'],
    [-0, '0'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [1e21, '1e+21'],
    [9.999999999999997e22, '9.999999999999997e+22'],
    [0.000001, '0.000001'],
    [333333333.3333332, '333333333.3333332'],
  ])('number %d (appendix B)', (number, text) => {
    expect(canonicalJson(number)).toBe(text);
  });

  test('what JSON does not have is refused; lone surrogates of a target are replaced before', () => {
    for (const value of [Number.NaN, Infinity, '\ud800', () => 1])
      expect(() => canonicalJson(value)).toThrow();
    expect(canonicalJson(wellFormed({ 'a\udead': ['\ud800x'] }))).toBe('{"a\ufffd":["\ufffdx"]}');
  });

  test('a report in pieces is the same', () => {
    const checks = [
      { id: 'x\ud800', n: 2 },
      { '10': 1, '9': { c: [] } },
    ];
    for (const each of [{ totals: { b: 1, a: undefined }, absent: undefined, checks, note: '\udead' }, {}])
      expect([...canonicalPieces(each)].join('')).toBe(canonicalJson(wellFormed(each)));
  });
});

describe('a signed report', () => {
  test('is genuine by its key, in any layout', async () => {
    const reordered = Object.fromEntries(Object.entries(report).reverse());
    for (const each of [report, reordered]) {
      expect(await verifyReport(each, signature, trusted)).toMatchObject({
        state: 'genuine',
        known: true,
        kid: signer.kid,
        signedAt: new Date(AT),
      });
    }
  });

  test('without a key says that nobody vouches for it', async () => {
    expect(await verifyReport(report, signature)).toMatchObject({ state: 'genuine', known: false });
  });

  test.each<[string, (r: RunReport) => unknown, string[]]>([
    ['a verdict', (r) => Object.assign(r.checks[1]!, { verdict: 'errored' }), ['checks']],
    ['the exit status', (r) => Object.assign(r, { exitCode: 0 }), ['exitCode: altered']],
    ['a removed check', (r) => r.checks.splice(0, 1), ['checks']],
    ['an added member', (r) => Object.assign(r, { note: 'fine' }), ['note: added']],
    ['an answer', (r) => Object.assign(r.observations[0]!, { answer: 'another' }), ['observations: altered']],
    ['the order of requirements', (r) => r.requirements.reverse(), ['requirements: altered']],
  ])('%s altered: refused with the place', async (_, alter, [start]) => {
    const copy = structuredClone(report);
    alter(copy);
    const found = await verifyReport(copy, signature, trusted);
    expect(found.state).toBe('altered');
    const { places } = found as { places: string[] };
    expect(places).toHaveLength(1);
    expect(places[0]).toMatch(new RegExp(`^${start}`));
  });

  test('an altered check is named by its id', async () => {
    const copy = structuredClone(report);
    const failed = copy.checks.find(({ verdict }) => verdict === 'failed')!;
    failed.verdict = 'passed';
    expect(await verifyReport(copy, signature, trusted)).toEqual({
      state: 'altered',
      places: [`checks ${failed.id}: altered`],
    });
  });

  test('altered and signed anew by another key is refused', async () => {
    const other = await signingKey(keyIn(others.pem));
    const forged = await signReport({ ...report, exitCode: 0 }, { ...other, kid: signer.kid }, AT);
    expect(await verifyReport({ ...report, exitCode: 0 }, forged, trusted)).toMatchObject({
      state: 'refused',
      // The forger uses the name of the real key, but the message names the forger's own key.
      why: `it is signed by another key (thumbprint ${other.kid}, which calls itself ${signer.kid})`,
    });
  });

  test('the wrong key refuses it', async () => {
    const wrong = await trustedKeys(others.publicPem, 'test');
    expect(await verifyReport(report, signature, wrong)).toMatchObject({ state: 'refused' });
  });

  test('the signature over the parts is not one over the report', async () => {
    const swapped = { ...signature, report: signature.sectionsSignature };
    expect((await verifyReport(signature.sections, swapped, trusted)).state).not.toBe('genuine');
  });

  test.each(['none', 'HS256'])('alg %s is refused', async (alg) => {
    const head = Buffer.from(JSON.stringify({ alg, b64: false, crit: ['b64'] })).toString('base64url');
    const forged = { ...signature, report: `${head}..${alg === 'none' ? '' : 'AAAA'}` };
    expect(await verifyReport(report, forged, trusted)).toMatchObject({
      state: 'refused',
      why: expect.stringContaining(alg) as string,
    });
  });

  test('a signature that is cut short is refused', async () => {
    for (const cut of [0, 10, -3]) {
      const short = { ...signature, report: signature.report.slice(0, cut) };
      expect(await verifyReport(report, short, trusted)).toMatchObject({ state: 'refused' });
    }
  });

  type Header = Record<string, unknown>;
  test.each<[string, (head: Header) => void]>([
    ['its date', (head) => Object.assign(head, { iat: 1 })],
    ['its type', (head) => Object.assign(head, { typ: 'conformance-report-sections' })],
    ['how its payload is spelled', (head) => Reflect.deleteProperty(head, 'b64')],
  ])('%s is part of what is signed', async (_, alter) => {
    const [head = '', , bytes = ''] = signature.report.split('.');
    const altered = JSON.parse(Buffer.from(head, 'base64url').toString()) as Header;
    alter(altered);
    const jws = `${Buffer.from(JSON.stringify(altered)).toString('base64url')}..${bytes}`;
    expect(await verifyReport(report, { ...signature, report: jws }, trusted)).toMatchObject({
      state: 'refused',
      why: expect.stringContaining('damaged') as string,
    });
  });
});

describe('conform verify', () => {
  test('tells who signed what and when; refuses what was altered, cut or written anew', async () => {
    const out = temporaryFolder();
    await writeReports(report, out, { signer });
    const key = temporaryFile('signer.pem', ours.publicPem);
    const verify = () => conformHere(['verify', out, '--key', key]);

    const genuine = await verify();
    expect(genuine.code, genuine.stdout).toBe(0);
    expect(genuine.stdout).toContain(signer.kid);
    expect(genuine.stdout).toContain(`${report.tool.name} ${report.tool.version}`);
    expect((await conformHere(['verify', out])).code).toBe(3);

    const file = join(out, 'report.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"exitCode": 1', '"exitCode": 0'));
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('exitCode: altered') as string,
    });

    writeFileSync(file, text.slice(0, text.length / 2));
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining('cut short') as string });

    writeFileSync(file, text.replace('"exitCode": 1', '"exitCode": 0,\n  "exitCode": 1'));
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('stands twice') as string,
    });
  });

  test('a key that is none, and one that is missing, end with 2 and show nothing of it', async () => {
    const file = temporaryFile('key.pem', 'secret-text');
    for (const args of [
      ['verify', temporaryFolder()],
      ['run', '--sign', file],
      ['run', '--sign', 'env:NOT_SET_ANYWHERE'],
    ]) {
      const { code, stderr } = await conformHere(args);
      expect(code, stderr).toBe(2);
      expect(stderr).not.toContain('secret-text');
    }
  });

  test('an unsigned run leaves no signature of an earlier one', async () => {
    const out = temporaryFolder();
    await writeReports(report, out, { signer });
    expect(existsSync(join(out, SIGNATURE_FILE))).toBe(true);
    await writeReports(report, out);
    expect(existsSync(join(out, SIGNATURE_FILE))).toBe(false);
  });
});

describe('the certificate', () => {
  test('has the verdict, the denominators, what was left out, silences, versions and the signature', () => {
    const page = certificate(report, { kid: signer.kid, alg: signer.alg, signedAt: AT });
    expect(page).toContain('Not conformant');
    expect(page).toContain(report.summary);
    for (const { level, verdict, id } of report.requirements) {
      if (level === 'untestable' || verdict === 'failed' || verdict === 'skipped')
        expect(page, id).toContain(id);
    }
    for (const { id } of report.observations) expect(page).toContain(id);
    expect(page).toContain(signer.kid);
    expect(page).toContain('2026-11-22T05:00:00.000Z');
    expect(certificate(report)).toContain('not signed');
  });

  test('says why something is undecided, whatever another check of it has to say', () => {
    const undecided = report.requirements.find(
      ({ level, verdict }) => level === 'required' && verdict === 'blocked',
    )!;
    const blocked = report.checks.find(({ verdicts }) => verdicts[undecided.id] === 'blocked')!;
    const { reason: _, ...silent } = blocked;
    const more: RunReport = {
      ...report,
      checks: [...report.checks, { ...silent, id: `${blocked.id}/more` }],
    };
    expect(certificate(more).split(`<code>${undecided.id}</code>`)[1]).toContain(
      blocked.reason!.slice(0, 20).replaceAll('`', ''),
    );
  });

  test('nothing of a target is markup in it', () => {
    const hostile = { ...report, target: { name: '<script>x</script>', urls: { a: '"><img src=x>' } } };
    expect(certificate(hostile)).not.toMatch(/<script|<img/);
  });
});
