/** Writes the requests that repeat a failure as a shell script. */
import { isConfigurationKey } from '../check/configuration-keys.ts';
import type { Exchange, Finding } from '../model/results.ts';
import { curlCommand } from './curl.ts';
import { type Derived, replaceWhole, type Source, valuesOf, variableOf } from './repeat-values.ts';
import { inertLine } from './terminal-safe.ts';

/** A script, and what a user has to know to run it. */
export interface RepeatScript {
  script: string;
  /** The variables that have to be set first, for secrets that no answer gives out. */
  variables: string[];
  /** Sentences about why it may not show the same failure; the script contains them as well. */
  caveats: string[];
  /** Ids of the exchanges that it repeats, in order. */
  steps: string[];
}

/** What a script is written from. */
export interface Repetition {
  /** In the order of sending. */
  steps: readonly Exchange[];
  /** How many seconds have to pass before a step. */
  passed: ReadonlyMap<Exchange, number>;
  shown: Exchange;
  finding: Finding;
  /** Returns the answer that gives out a value. */
  sourceOf(value: string): Source | undefined;
  /** Returns what a value was made from, where no answer gives it out as it is. */
  derivedOf(value: string): Derived | undefined;
}

/** Scripts with more requests pause between them, since a target may limit the requests per second. */
const AT_ONCE = 3;
/** The variable for the address of the target. */
const BASE = 'BASE';

/** Returns the script, with what has to be set for it. */
export function writeScript(repetition: Repetition): RepeatScript {
  const { steps, passed, shown, finding } = repetition;
  const base = baseOf(steps);
  const given = new Set<string>();
  const needed = new Set<string>();
  const caveats = new Set<string>();
  const lines: string[] = [];
  for (const [i, step] of steps.entries()) {
    const { command, variables, caveats: own } = curlCommand(labelled(step, repetition, base));
    for (const name of variables) if (!given.has(name) && name !== BASE) needed.add(name);
    for (const caveat of own) caveats.add(caveat);
    const role = step === shown ? ': shows it' : step.id === finding.by ? ': did it' : '';
    lines.push('', `# ${i + 1}. ${inertLine(step.purpose)}${role}${step.atOnce ? ', at the same time' : ''}`);
    const seconds = passed.get(step);
    if (seconds !== undefined) lines.push(`pass ${seconds}`);
    else if (steps.length > AT_ONCE && i > 0 && !step.atOnce) lines.push('sleep 1');
    const taken = takenFrom(step, steps.slice(i + 1), repetition, given);
    const isAtOnce = (step.atOnce || steps[i + 1]?.atOnce) && taken.length === 0;
    const silent = command.replace(/^curl /, 'curl -sS ');
    if (isAtOnce) lines.push(`${silent}${step === shown ? '' : ' >/dev/null'} &`);
    else if (step === shown) lines.push(silent);
    else lines.push(`answer=$(${silent})`, ...taken);
    if (isAtOnce && !steps[i + 1]?.atOnce) lines.push('wait');
  }
  for (const caveat of caveatsOf(repetition, [...needed])) caveats.add(caveat);
  const head = [
    '#!/bin/sh',
    `# Repeats: ${inertLine(finding.message, 300)}`,
    ...[...caveats].map((caveat) => `# ${caveat}`),
    ...(base === undefined ? [] : [`${BASE}="\${${BASE}:-${base}}"`]),
    ...[...needed].map((name) => `: "\${${name}:?set it first}"`),
    ...(given.size > 0 ? VALUE : []),
    ...(passed.size > 0 ? PASS : []),
  ];
  return {
    script: `${[...head, ...lines].join('\n')}\n`,
    variables: [...needed],
    caveats: [...caveats],
    steps: steps.map(({ id }) => id),
  };
}

/** Sentences about what keeps a script from showing the same failure each time. */
function caveatsOf({ steps, passed }: Repetition, variables: readonly string[]): string[] {
  const caveats: string[] = [];
  const seconds = [...passed.values()].reduce((a, b) => a + b, 0);
  if (seconds > 0)
    caveats.push(
      `${seconds.toLocaleString('en')} s have to pass: set CLOCK_HOOK to the address of the target's clock hook, or it waits so long.`,
    );
  if (steps.some(({ atOnce }) => atOnce))
    caveats.push('Requests are sent at once: what is wrong may not show each time; run it several times.');
  if (steps.some(({ response }) => response?.status === 429))
    caveats.push(
      'It is about how fast requests come, which a script meets only roughly: it may not show the same.',
    );
  const gone = variables.filter((name) => !name.endsWith('_PART') && !isConfigurationKey(name));
  if (gone.length > 0)
    caveats.push(
      `${gone.join(', ')}: made for a single request of the run, and no use a second time. Make a new one, as the step that sends it says.`,
    );
  return caveats;
}

/** Lines that take from the answer the values that later steps send. */
function takenFrom(
  step: Exchange,
  later: readonly Exchange[],
  { sourceOf, derivedOf }: Repetition,
  given: Set<string>,
): string[] {
  const taken = new Map<string, string>();
  const take = ({ exchange, key, nth, label }: Source) => {
    const name = variableOf(label);
    if (exchange === step) taken.set(name, `${name}=$(value "$answer" ${key} ${nth})`);
    return exchange === step ? name : undefined;
  };
  for (const value of later.flatMap(({ request }) => valuesOf(request))) {
    const source = sourceOf(value);
    if (source) take(source);
    const derived = source ? undefined : derivedOf(value);
    const name = derived && take(derived.source);
    if (derived && name !== undefined && derived.shorter > 0) {
      const shorter = variableOf(labelOf(derived));
      taken.set(shorter, `${shorter}=\${${name}%${'?'.repeat(derived.shorter)}}`);
    }
  }
  for (const name of taken.keys()) given.add(name);
  return [...taken.values()];
}

function labelOf({ source, shorter }: Derived): string {
  return shorter > 0 ? `${source.label} shorter ${shorter}` : source.label;
}

/** The origin that all requests go to, if there is only one, so that another can be set in its place. */
function baseOf(steps: readonly Exchange[]): string | undefined {
  const origins = new Set(
    steps.map(({ request }) => /^https?:\/\/[\w.:[\]-]+(?=\/|$)/.exec(request.url)?.[0]),
  );
  return origins.size === 1 ? [...origins][0] : undefined;
}

/** Returns the exchange with labels in place of the origin and of the values that answers gave out. */
function labelled(
  exchange: Exchange,
  { sourceOf, derivedOf }: Repetition,
  base: string | undefined,
): Exchange {
  const replace = (text: string) => {
    let out = text;
    for (const value of valuesOf(exchange.request)) {
      const source = sourceOf(value);
      const derived = source ? undefined : derivedOf(value);
      const from = source ?? derived?.source;
      if (!from || from.exchange === exchange) continue;
      const label = `«${derived ? labelOf(derived) : from.label}»${derived?.behind ?? ''}`;
      if (label !== value)
        out = value.startsWith('«') ? out.replaceAll(value, label) : replaceWhole(out, value, label);
    }
    return out;
  };
  const { request } = exchange;
  const text = request.body?.text;
  return {
    ...exchange,
    request: {
      ...request,
      url:
        base === undefined
          ? replace(request.url)
          : `«${BASE.toLowerCase()}»${replace(request.url.slice(base.length))}`,
      headers: request.headers.map(([name, value]) => [name, replace(value)]),
      ...(request.body && {
        body: { ...request.body, ...(text !== undefined && { text: replace(text) }) },
      }),
    },
  };
}

/** The script's own function `value ANSWER KEY N`, which takes a value from JSON. */
const VALUE = [
  '',
  '# value ANSWER KEY N: the N-th value of KEY in the JSON of an answer',
  'value() {',
  `  printf '%s' "$1" | grep -oE "\\"$2\\" *: *(\\"[^\\"\\\\\\\\]*\\"|-?[0-9]+(\\.[0-9]+)?)" |`,
  `    sed -n "$3p" | sed -e 's/^"[^"]*" *: *//' -e 's/^"//' -e 's/"$//'`,
  '}',
];

/** The script's function `pass SECONDS`, which lets time pass on the target. */
const PASS = [
  '',
  "# pass SECONDS: lets time pass, at once where CLOCK_HOOK is the address of the target's clock hook",
  'pass() {',
  `  if [ -z "\${CLOCK_HOOK:-}" ]; then sleep "$1"; return; fi`,
  `  curl -sS "$CLOCK_HOOK" -H 'content-type: application/json' --data-raw "{\\"advanceSeconds\\":$1}" >/dev/null`,
  '}',
];
