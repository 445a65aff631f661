/** Generates runs that are as consistent as real ones, with texts that a hostile target could send. */
import fc from 'fast-check';
import type { Catalogue, Requirement } from '../../lib/model/catalogue/types.ts';
import type {
  CheckResult,
  Exchange,
  Finding,
  HeaderPair,
  Level,
  RunReport,
  Verdict,
} from '../../lib/model/results.ts';
import { aggregate } from '../../lib/run/aggregate.ts';

/** Texts that try to break out of HTML, Markdown, a shell or another format. */
export const attacks = [
  '<script>window.pwned = 1</script>',
  '</script><script>window.pwned = 1</script>',
  '"><img src=x onerror="window.pwned=1">',
  '</script/><img src=//evil.example/x>',
  '<!--<script>',
  ']]></failure><testcase/>',
  '&lt;b&gt; &#x1f; %3Cscript%3E',
  '\u001b[31mred\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007',
  '\u202egnp.exe\u202c \u2066hidden\u2069 \u200f',
  'a\ud800b \udfff \ufffe\uffff',
  '\u0000\u0001\u0008\u000b\u007f\u009b31m',
  '``` ` `` # heading\n| a | b |\n[x](javascript:alert(1)) @everyone',
  "'; touch pwned; echo '$(id) `id` \\",
  '<%= process.exit(1) %> {{7*7}} <%~ 7*7 %>',
  '\r\nSet-Cookie: a=b\r\n\r\n',
  '__proto__',
];

/** Any text at all: attacks, UTF-16 noise, ordinary words. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...attacks),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
    .map((units) => String.fromCharCode(...units)),
  fc.string({ maxLength: 40 }),
);

const bodyText = fc.oneof(hostileText, fc.json({ maxDepth: 3 }), fc.constant(''));
const START = Date.parse('2025-02-03T04:05:06.789Z');

const verdictsOf: Record<Level, { decided: Verdict[]; open: Verdict[] }> = {
  required: { decided: ['passed', 'passed', 'passed', 'failed'], open: ['blocked', 'errored'] },
  advised: { decided: ['passed', 'warned'], open: ['blocked', 'errored'] },
  silence: { decided: ['observed'], open: ['blocked', 'errored'] },
  untestable: { decided: [], open: [] },
};

const worstFirst: Verdict[] = ['failed', 'errored', 'warned', 'blocked', 'skipped', 'passed', 'observed'];

const headers: fc.Arbitrary<HeaderPair[]> = fc.array(
  fc.tuple(fc.constantFrom('content-type', 'Location', 'set-cookie', 'X-Odd'), hostileText),
  { maxLength: 3 },
);

function exchange(id: string): fc.Arbitrary<Exchange> {
  return fc
    .record({
      purpose: hostileText,
      method: fc.constantFrom('GET', 'POST', 'PATCH', 'HEAD'),
      path: hostileText,
      headers,
      sent: fc.option(bodyText, { nil: undefined }),
      answered: fc.boolean(),
      status: fc.integer({ min: 100, max: 599 }),
      received: bodyText,
      answerHeaders: headers,
      cut: fc.boolean(),
      error: hostileText,
      durationMs: fc.double({ min: 0, max: 1e5, noNaN: true }),
      at: fc.integer({ min: 0, max: 1e6 }),
    })
    .map((one) => ({
      id,
      purpose: one.purpose,
      startedAt: new Date(START + one.at).toISOString(),
      durationMs: one.durationMs,
      request: {
        method: one.method,
        url: `http://127.0.0.1:8080/api/${one.path}`,
        headers: one.headers,
        ...(one.sent === undefined ? {} : { body: { text: one.sent, bytes: Buffer.byteLength(one.sent) } }),
      },
      ...(one.answered
        ? {
            response: {
              status: one.status,
              headers: one.answerHeaders,
              body: {
                text: one.received,
                bytes: Buffer.byteLength(one.received) + (one.cut ? 10 : 0),
                ...(one.cut ? { cut: true } : {}),
              },
            },
          }
        : { error: one.error }),
    }));
}

const pointer = fc.oneof(
  fc.constantFrom('status', 'header:Location', 'header:X-Missing', '', '/data', '/0'),
  hostileText.map((text) => `/${text}`),
);

/** A check that cites these requirements, with its result. */
function check(
  suite: string,
  cited: Requirement[],
  id: string,
  nextId: () => string,
): fc.Arbitrary<CheckResult> {
  const said = fc.constantFrom<'decided' | 'open' | 'skipped'>(
    'decided',
    'decided',
    'decided',
    'open',
    'skipped',
  );
  return said
    .chain((kind) =>
      fc.record({
        verdicts: fc.tuple(
          ...cited.map((one) =>
            kind === 'skipped'
              ? fc.constant<Verdict>('skipped')
              : fc.constantFrom(...verdictsOf[one.level][kind]),
          ),
        ),
        reason: hostileText,
        message: hostileText,
        pointer,
        found: hostileText,
        answer: hostileText,
        exchanges: fc.tuple(...Array.from({ length: kind === 'skipped' ? 0 : 2 }, () => exchange(nextId()))),
        durationMs: fc.double({ min: 0, max: 1e5, noNaN: true }),
        at: fc.integer({ min: 0, max: 1e6 }),
      }),
    )
    .map((one) => {
      const verdicts = Object.fromEntries(cited.map(({ id: cite }, i) => [cite, one.verdicts[i]!]));
      const verdict = worstFirst.find((candidate) => one.verdicts.includes(candidate))!;
      const shown = one.exchanges.at(-1)?.id;
      const findings: Finding[] = cited
        .filter((_, i) => one.verdicts[i] === 'failed' || one.verdicts[i] === 'warned')
        .map((requirement) => ({
          requirement: requirement.id,
          message: one.message,
          ...(shown === undefined ? {} : { exchange: shown }),
          pointer: one.pointer,
          expected: 'something else',
          found: one.found,
        }));
      return {
        id,
        suite,
        title: cited[0]!.title,
        requirements: cited.map((requirement) => requirement.id),
        verdict,
        ...(verdict === 'passed' ? {} : { reason: one.reason }),
        verdicts,
        findings,
        observations: cited
          .filter((_, i) => one.verdicts[i] === 'observed')
          .map((requirement) => ({
            id: requirement.id,
            question: requirement.statement,
            answer: one.answer,
          })),
        effects: 'write' as const,
        startedAt: new Date(START + one.at).toISOString(),
        durationMs: one.durationMs,
        exchanges: one.exchanges,
        sharedExchanges: [],
      };
    });
}

function catalogue(suite: string): fc.Arbitrary<Catalogue> {
  const level = fc.constantFrom<Level>(
    'required',
    'required',
    'required',
    'advised',
    'silence',
    'untestable',
  );
  return fc.array(level, { minLength: 1, maxLength: 6 }).map((levels) => ({
    suite,
    title: `Suite ${suite}`,
    spec: '1-of-3',
    requirements: levels.map((one, i) => ({
      id: `${suite.toUpperCase()}-ENTRY-${i}`,
      section: `4.${i % 3}`,
      level: one,
      ...(one === 'required' ? { basis: 'stated' as const } : {}),
      title: `entry ${i} of ${suite} is kept`,
      statement: `The statement of entry ${i}.`,
      ...(one === 'required' || one === 'advised'
        ? { severity: 'major' as const, cause: 'A usual slip.' }
        : {}),
      ...(one === 'advised' ? { standard: 'RFC 9110 15' } : {}),
      ...(one === 'untestable' ? { reason: 'Nothing shows it.' } : {}),
    })),
  }));
}

/** A whole run: catalogues, checks over them, and what `aggregate` makes of both. */
export const runReport: fc.Arbitrary<RunReport> = fc
  .uniqueArray(fc.constantFrom('alpha', 'beta', 'gamma'), { minLength: 1 })
  .chain((names) => fc.tuple(...names.map(catalogue)))
  .chain((catalogues) => {
    let sent = 0;
    const nextId = () => `x${++sent}`;
    const checks = catalogues.flatMap(({ suite, requirements }) => {
      const testable = requirements.filter(({ level }) => level !== 'untestable');
      return testable.map((one, i) => {
        const cited = i % 3 === 2 ? [one, testable[i - 1]!] : [one];
        return check(suite, cited, i % 2 ? `${one.id}/case` : one.id, nextId);
      });
    });
    return fc.record({
      catalogues: fc.constant(catalogues),
      checks: fc.tuple(...checks),
      title: fc.option(hostileText, { nil: undefined }),
      knownFailures: fc.constantFrom<string[]>([], [], ['ALPHA-ENTRY-0', 'BETA-ENTRY-1'], ['ALPHA-*']),
      requests: fc.constant(sent),
    });
  })
  .map(({ catalogues, checks, title, knownFailures, requests }) =>
    aggregate(catalogues, checks, {
      tool: { name: 'api-conformance', version: '0.1.0' },
      target: {
        name: 'generated',
        ...(title === undefined ? {} : { title }),
        urls: { api: 'http://127.0.0.1:8080' },
      },
      startedAt: new Date(START).toISOString(),
      durationMs: 1234.5,
      seed: 7,
      strict: false,
      requests,
      baseline: knownFailures.map((id) => ({ id })),
    }),
  );
