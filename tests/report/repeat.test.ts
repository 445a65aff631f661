/**
 * Runs scripts that repeat a failure, in a shell, against the broken server started anew, and expects the
 * same failure. A few deviations are tested here; `CONFORM_REPEAT=100` draws a hundred from all of them.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import { valueAt } from '../../lib/http/answer.ts';
import { allCatalogues } from '../../lib/model/catalogue/registry.ts';
import { redactResult } from '../../lib/model/redaction/redact-result.ts';
import type { CheckResult, Exchange, Finding } from '../../lib/model/results.ts';
import type { CaseInput } from '../../lib/prove/cases-thread.ts';
import { loadCases } from '../../lib/prove/load.ts';
import type { ProofCase } from '../../lib/prove/model.ts';
import { prepare } from '../../lib/prove/target.ts';
import { Repeater, type RepeatScript } from '../../lib/report/repeat.ts';
import { checksOf, suiteFiles } from '../../lib/run/suite-files.ts';

const SHELL = promisify(execFile);
const ORIGIN = 'http://reference.test';
const wanted = Number(process.env.CONFORM_REPEAT ?? 0);
const FEW_OF = ['address-book', 'oauth-token', 'cache-management', 'agent-registration'];
const FEW = [
  'shipping/update-street-clears-number',
  // The id that the script reads is one that an answer gave out, shortened by a character.
  'shipping/read-id-prefix',
  // Two hours have to pass.
  'shipping/lives-a-minute-less',
  // One answer gives the ids of two caches.
  'caches/public-delete-by-id',
  // A hundred repositories come from the seed hook, and their usage is computed minutes later.
  'caches/by-repo-page-overlaps',
  'shipping/create-default-false-is-null',
  'shipping/per-page-up-to-100',
  'shipping/generated/read/AddressTemplate.address/type',
  'shipping/generated/update/status/201',
];

let checks: DefinedCheck[];
let cases: ProofCase[];
let inputOf: (each: ProofCase) => CaseInput;

beforeAll(async () => {
  checks = await checksOf(
    [...suiteFiles()].flatMap(([suite, files]) => (wanted > 0 || FEW_OF.includes(suite) ? files : [])),
  );
  cases = await loadCases();
  inputOf = await prepare([...allCatalogues().keys()]);
}, 120_000);

/** A failure with the script that repeats it. */
interface Repeatable {
  finding: Finding;
  shown: Exchange;
  repeat: RepeatScript;
}

/**
 * Returns the first failure of a deviation for which a script is written. It comes from the checks of what
 * the deviation breaks, or, with a suite, from a run of the whole suite, where checks use what was made for
 * checks before them.
 */
async function failureOn(id: string, suite?: string): Promise<Repeatable | undefined> {
  const facts = cases.find((each) => each.id === id)!;
  const { facts: _, ...input } = inputOf(facts);
  const session = await Session.open({ ...input, runId: randomUUID() });
  const results: CheckResult[] = [];
  for (const check of checks) {
    if (check.suite === suite || (!suite && check.requirements.some((one) => facts.breaks.includes(one))))
      results.push(redactResult(await check.run(session), session.secrets));
  }
  await session.close();
  const exchanges = results.flatMap((result) => result.exchanges);
  const repeater = new Repeater(exchanges);
  for (const result of results.filter(({ verdict }) => ['failed', 'warned'].includes(verdict))) {
    for (const finding of result.findings) {
      const shown = exchanges.find((each) => each.id === finding.exchange);
      const repeat = repeater.script(finding, result);
      if (repeat && shown?.response) return { finding, shown, repeat };
    }
  }
  return undefined;
}

/** Starts a new server of a case, over HTTP. */
async function serve(id: string) {
  const { transport } = inputOf(cases.find((each) => each.id === id)!);
  const { openTransport } = (await import(transport.module)) as {
    openTransport(params: unknown): Promise<{
      moveClock(seconds: number): number;
      send(wire: object): Promise<{ status: number; headers: [string, string][]; text: string }>;
    }>;
  };
  const wire = await openTransport(transport.params);
  const server = createServer((request, response) => {
    void (async () => {
      // The script's pauses advance the clock of the server instead.
      if (request.url === '/sleep') return void response.end(String(wire.moveClock(1)));
      let body = '';
      for await (const piece of request.setEncoding('utf8')) body += piece;
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      const answer = await wire.send({
        method: request.method,
        url: ORIGIN + request.url,
        headers,
        body,
        timeoutMs: 10_000,
      });
      response.writeHead(answer.status, answer.headers.flat()).end(answer.text);
    })();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

/** Returns the secrets that a user has, under the names by which scripts ask for them. */
function secretsOf(target: object): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (value: unknown, key: string): void => {
    if (value !== null && typeof value === 'object')
      for (const [name, inner] of Object.entries(value)) visit(inner, Array.isArray(value) ? key : name);
    if (typeof value !== 'string') return;
    const name = key.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
    let free = name;
    for (let n = 2; free in found && found[free] !== value; n += 1) free = `${name}_${n}`;
    found[free] = value;
  };
  visit(target, '');
  return found;
}

/** Returns the status and body of the last answer that `curl -i` printed. */
function lastAnswer(output: string): { status: number; body: string } {
  const at = output.lastIndexOf('HTTP/1.1 ');
  const text = output.slice(at);
  const split = text.indexOf('\r\n\r\n');
  return { status: Number(text.slice(9, 12)), body: text.slice(split + 4) };
}

/** Returns the kind of value at the place of a finding, which is the same in every run. */
function kindAt(body: string, pointer: string | undefined): string {
  if (pointer === undefined || !/^(?:\/|$)/.test(pointer)) return '';
  try {
    return kindOf(valueAt(JSON.parse(body), pointer));
  } catch {
    return 'no JSON';
  }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? `array of ${value.length}` : typeof value;
}

/** It is chance which item of a list has the fault, and the script's list is shorter than that of the run. */
function kindsAt(body: string, pointer: string | undefined): string[] {
  const at = /^(\/\w+)\/\d+(?=\/|$)/.exec(pointer ?? '');
  if (!at) return [kindAt(body, pointer)];
  const length = Number(/^array of (\d+)$/.exec(kindAt(body, at[1]))?.[1] ?? 0);
  return Array.from({ length }, (_, i) => kindAt(body, `${at[1]}/${i}${pointer!.slice(at[0].length)}`));
}

/** Runs a script. Returns what it shows, or why it cannot be run. */
async function repeated(id: string, { finding, shown, repeat }: Repeatable) {
  const env = {
    PATH: process.env.PATH ?? '',
    ...secretsOf(inputOf(cases.find((each) => each.id === id)!).target),
  };
  const missing = repeat.variables.filter((name) => !(name in env));
  if (missing.length > 0) return { skipped: `needs ${missing.join(', ')}` };
  const server = await serve(id);
  try {
    const { stdout } = await SHELL(
      'sh',
      [
        '-c',
        repeat.script.replaceAll(ORIGIN, server.url).replaceAll('sleep 1', `curl -s ${server.url}/sleep >&2`),
      ],
      {
        env: { ...env, CLOCK_HOOK: `${server.url}/hooks/clock` },
        timeout: 60_000,
        maxBuffer: 1e8,
      },
    );
    const { status, body } = lastAnswer(stdout);
    const expected = {
      status: shown.response!.status,
      kind: kindAt(shown.response!.body.text ?? '', finding.pointer),
    };
    const kinds = kindsAt(body, finding.pointer);
    const kind = kinds.includes(expected.kind) ? expected.kind : kinds.join(', ');
    return { seen: { status, kind }, expected };
  } finally {
    await server.close();
  }
}

describe.skipIf(wanted > 0)('a script that repeats a failure', () => {
  test.each(FEW)('of %s sees the same', { timeout: 120_000 }, async (id) => {
    const failure = await failureOn(id);
    expect(failure, 'a failure with a script').toBeDefined();
    const { seen, expected, skipped } = (await repeated(id, failure!)) as Record<string, unknown>;
    expect(skipped).toBeUndefined();
    expect(seen).toEqual(expected);
  });

  test.each(['caches/delete-ref-last-part', 'caches/list-sort-size-desc-by-id'])(
    'of %s in a run of the whole suite sees the same',
    { timeout: 120_000 },
    async (id) => {
      const failure = await failureOn(id, 'cache-management');
      expect(failure?.repeat.script).toContain('hook seed');
      expect(failure?.repeat.script).not.toContain('hook clock');
      const { seen, expected } = (await repeated(id, failure!)) as Record<string, unknown>;
      expect(seen).toEqual(expected);
    },
  );

  test('names the request that did it and the one that shows it', { timeout: 120_000 }, async () => {
    const { repeat, finding } = (await failureOn('shipping/update-street-clears-number'))!;
    expect(finding.by).toBeDefined();
    expect(repeat.script).toMatch(/update [\w ]+: did it\n[\s\S]*-X PATCH[\s\S]*: shows it\n/);
    expect(repeat.script).not.toContain('«');
    // The address is a variable, so that another can be set.
    expect(repeat.script).toContain(`BASE="\${BASE:-${ORIGIN}}"`);
    expect(repeat.script.match(new RegExp(ORIGIN, 'g'))).toHaveLength(1);
    expect(repeat.variables).toEqual(['CLIENTSECRET']);
  });

  test('asks for one token where the run shared out several', { timeout: 120_000 }, async () => {
    const { repeat } = (await failureOn('shipping/read-id-prefix', 'address-book'))!;
    expect(repeat.script.match(/oauth\/token/g)).toHaveLength(1);
    expect(repeat.script).toMatch(/^ID_\w+_SHORTER_1=\$\{ID_\w+%\?\}$/m);
  });

  test.each([
    ['agents/exp-no-number', /ASSERTION.*: made for a single request/],
    ['shipping/lives-a-minute-less', /7,\d{3} s have to pass: set CLOCK_HOOK/],
    ['shipping/rate-not-found-twice', /how fast requests come/],
    ['caches/delete-key-at-once-one-answer', /sent at once/],
  ])('says why it may not show the same: %s', { timeout: 120_000 }, async (id, why) => {
    const { repeat } = (await failureOn(id))!;
    expect(repeat.caveats.join('\n')).toMatch(why);
    expect(repeat.script).toMatch(why);
  });
});

describe.runIf(wanted > 0)('scripts of many deviations', () => {
  test('see the same failure', { timeout: 3_600_000 }, async () => {
    const all = cases.filter(({ kind }) => kind === 'deviation').map(({ id }) => id);
    const step = Math.max(1, Math.floor(all.length / wanted));
    const counts = {
      same: 0,
      different: [] as string[],
      withoutScript: [] as string[],
      notRun: [] as string[],
    };
    for (let i = 0; i < all.length && i / step < wanted; i += step) {
      const id = all[i]!;
      const failure = await failureOn(id);
      if (!failure) counts.withoutScript.push(id);
      else {
        const { seen, expected, skipped } = (await repeated(id, failure)) as Record<string, unknown>;
        if (skipped) counts.notRun.push(`${id}: ${skipped}`);
        else if (JSON.stringify(seen) === JSON.stringify(expected)) counts.same += 1;
        else counts.different.push(`${id}: ${JSON.stringify({ seen, expected })}`);
      }
    }
    console.info(JSON.stringify(counts, null, 1));
    expect(counts.different.length).toBeLessThanOrEqual(0.1 * counts.same);
  });
});
