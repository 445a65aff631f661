/**
 * A shell script that repeats a failure from nothing: it gets its own token, makes what is needed, sends the request
 * that did it and the one that shows it. Values that the target gives out (tokens, ids) are taken from its answers;
 * secrets that the user has are variables. It needs a POSIX shell, curl, grep and sed; jq is not on every machine.
 */
import type { CheckResult, Exchange, Finding } from '../model/results.ts';
import { curlCommand } from './curl.ts';
import { inertLine } from './terminal-safe.ts';

/** A script, and what one has to know to run it. */
export interface RepeatScript {
  script: string;
  /** The variables that have to be set first, for secrets that no answer gives. */
  variables: string[];
  /** Why it may not show the same, as sentences. */
  caveats: string[];
  /** Ids of the exchanges that it repeats, in order. */
  steps: string[];
}

/** Checks with at most so many requests are repeated whole; of others only what changed something. */
const WHOLE = 12;
/** Scripts with more requests rest between them: a target may take only so many in a second. */
const AT_ONCE = 3;
/** Scripts with more requests than this help nobody and are not written. */
const MOST_STEPS = 40;
const READS = ['GET', 'HEAD', 'OPTIONS'];

/** A value that an answer gave out, and where in it. */
interface Source {
  exchange: Exchange;
  key: string;
  /** It is the n-th value of this key in the answer, counted from 1. */
  nth: number;
  /** Label that stands for it in a request: `access_token 2`. */
  label: string;
}

/** The exchanges of a run, in the order of sending, and where the values in them come from. */
export class Repeater {
  readonly #all: readonly Exchange[];
  readonly #byId: ReadonlyMap<string, Exchange>;
  readonly #sources = new Map<string, Source>();
  readonly #sent = new Set<string>();
  /** The source whose value is sent in the place of another one's. */
  readonly #instead = new Map<Source, Source>();

  constructor(exchanges: Iterable<Exchange>) {
    this.#all = [...exchanges].sort((a, b) => orderOf(a) - orderOf(b));
    this.#byId = new Map(this.#all.map((each) => [each.id, each]));
    for (const exchange of this.#all) this.#learn(exchange);
  }

  /**
   * The script for a finding of a check.
   * @param check the check that found it, with the ids of the earlier exchanges that it rests on
   * @returns `undefined` where no exchange shows the finding, or the script would be longer than anybody reads
   */
  script(
    finding: Finding,
    { exchanges: own, sharedExchanges: shared }: Pick<CheckResult, 'exchanges' | 'sharedExchanges'>,
  ): RepeatScript | undefined {
    const shown = finding.exchange === undefined ? own.at(-1) : this.#byId.get(finding.exchange);
    if (!shown) return undefined;
    const steps = this.#steps(shown, finding.by, own, new Set(shared));
    if (steps.length > MOST_STEPS) return undefined;
    return this.#write(steps, shown, finding);
  }

  /** Notes what the answer gives out that was never sent before, and what the request sends. */
  #learn(exchange: Exchange): void {
    const { request, response } = exchange;
    for (const value of valuesOf(request)) this.#sent.add(value);
    const counts = new Map<string, number>();
    for (const [, key, text, bare] of (response?.body.text ?? '').matchAll(LEAF)) {
      const nth = (counts.get(key!) ?? 0) + 1;
      counts.set(key!, nth);
      const value = text ?? bare!;
      if (!isTelling(key!, value) || this.#sent.has(value) || this.#sources.has(value)) continue;
      const label = /^«([^»…]+)»$/.exec(value)?.[1] ?? `${key} ${exchange.id}`;
      this.#sources.set(value, { exchange, key: key!, nth, label });
    }
  }

  #steps(
    shown: Exchange,
    by: string | undefined,
    own: readonly Exchange[],
    shared: ReadonlySet<string>,
  ): Exchange[] {
    const before = own.filter((each) => orderOf(each) < orderOf(shown) && isTried(each));
    const isOwn = own.some(({ id }) => id === shown.id);
    const chosen = new Set<Exchange>([shown]);
    const did = by === undefined ? undefined : this.#byId.get(by);
    if (did) chosen.add(did);
    if (isOwn) for (const each of before) if (before.length < WHOLE || !isRead(each)) chosen.add(each);
    // A list shows what was put into it.
    for (const each of this.#all)
      if (shared.has(each.id) && isPartOf(each, shown) && orderOf(each) < orderOf(shown)) chosen.add(each);
    // What else was done to the same resources before, and what all of them need of earlier answers.
    this.#instead.clear();
    this.#close(chosen);
    this.#merge(chosen, own);
    const kept = new Set(
      [...chosen].filter((each) => each === shown || each === did || !this.#isReplaced(each)),
    );
    this.#close(kept);
    return [...kept].sort((a, b) => orderOf(a) - orderOf(b));
  }

  /** Adds what a set of exchanges rests on. */
  #close(chosen: Set<Exchange>): void {
    for (const each of chosen) {
      for (const { exchange } of this.#sourcesIn(each)) if (exchange !== each) chosen.add(exchange);
      for (const change of this.#changesBefore(each)) chosen.add(change);
      if (chosen.size > MOST_STEPS * 2) return;
    }
  }

  #isReplaced(exchange: Exchange): boolean {
    return [...this.#instead.keys()].some((source) => source.exchange === exchange);
  }

  #sourcesIn({ request }: Exchange): Source[] {
    return valuesOf(request).flatMap((value) => {
      const source = this.#sources.get(value);
      return source ? [this.#instead.get(source) ?? source] : [];
    });
  }

  /**
   * Tokens that were asked for alike, by no request of the check itself, and serve as credentials alone are one: a run
   * shares several to be within the rate of each.
   */
  #merge(steps: Iterable<Exchange>, own: readonly Exchange[]): void {
    this.#instead.clear();
    const ownIds = new Set(own.map(({ id }) => id));
    const all = [...steps];
    const first = new Map<string, Source>();
    for (const [value, source] of this.#sources) {
      if (!value.startsWith('«') || ownIds.has(source.exchange.id)) continue;
      if (all.some(({ request }) => `${request.url} ${request.body?.text ?? ''}`.includes(value))) continue;
      const { method, url, headers, body } = source.exchange.request;
      const key = JSON.stringify([source.key, method, url, headers, body?.text]);
      const same = first.get(key);
      if (same) this.#instead.set(source, same);
      else if (all.some(({ request }) => request.headers.some(([, text]) => text.includes(value))))
        first.set(key, source);
    }
  }

  /** Changes of the resource that a request is about, where the target gave that resource its id. */
  #changesBefore(exchange: Exchange): Exchange[] {
    const path = pathOf(exchange);
    if (!path.split('/').some((part) => this.#sources.has(part))) return [];
    return this.#all.filter(
      (each) => orderOf(each) < orderOf(exchange) && !isRead(each) && isTried(each) && pathOf(each) === path,
    );
  }

  #write(steps: readonly Exchange[], shown: Exchange, finding: Finding): RepeatScript {
    const given = new Set<string>();
    const needed = new Set<string>();
    const caveats = new Set<string>();
    const lines: string[] = [];
    for (const [i, step] of steps.entries()) {
      const { command, variables, caveats: own } = curlCommand(this.#labelled(step));
      for (const name of variables) if (!given.has(name)) needed.add(name);
      for (const caveat of own) caveats.add(caveat);
      const role = step === shown ? ': shows it' : step.id === finding.by ? ': did it' : '';
      lines.push('', `# ${i + 1}. ${inertLine(step.purpose)}${role}`);
      if (steps.length > AT_ONCE && i > 0) lines.push('sleep 1');
      const silent = command.replace(/^curl /, 'curl -sS ');
      if (step === shown) lines.push(silent);
      else lines.push(`answer=$(${silent})`, ...this.#taken(step, steps.slice(i + 1), given));
    }
    const variables = [...needed];
    const head = [
      '#!/bin/sh',
      `# Repeats: ${inertLine(finding.message, 300)}`,
      ...variables.map((name) => `: "\${${name}:?set it first}"`),
      ...(given.size > 0 ? VALUE : []),
    ];
    const script = `${[...head, ...lines].join('\n')}\n`;
    return { script, variables, caveats: [...caveats], steps: steps.map(({ id }) => id) };
  }

  /** Lines that take from the answer what later steps send. */
  #taken(step: Exchange, later: readonly Exchange[], given: Set<string>): string[] {
    const taken = new Map<string, string>();
    for (const { exchange, key, nth, label } of later.flatMap((each) => this.#sourcesIn(each))) {
      if (exchange !== step) continue;
      const name = variableOf(label);
      given.add(name);
      taken.set(name, `${name}=$(value "$answer" ${key} ${nth})`);
    }
    return [...taken.values()];
  }

  /** The exchange with labels in the place of the values that answers gave. */
  #labelled(exchange: Exchange): Exchange {
    const replace = (text: string) => {
      let out = text;
      for (const value of valuesOf(exchange.request)) {
        const source = this.#sources.get(value);
        if (!source || source.exchange === exchange) continue;
        const label = `«${(this.#instead.get(source) ?? source).label}»`;
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
        url: replace(request.url),
        headers: request.headers.map(([name, value]) => [name, replace(value)]),
        ...(request.body && {
          body: { ...request.body, ...(text !== undefined && { text: replace(text) }) },
        }),
      },
    };
  }
}

const repeaters = new WeakMap<ReadonlyMap<string, Exchange>, Repeater>();

/** The repeater over the exchanges of a run, made once for each map of them. */
export function repeaterFor(byId: ReadonlyMap<string, Exchange>): Repeater {
  const known = repeaters.get(byId) ?? new Repeater(byId.values());
  repeaters.set(byId, known);
  return known;
}

/** `"key": "text"` or `"key": 12` anywhere in JSON; the script looks with the same pattern. */
const LEAF = /"([A-Za-z_]\w*)" *: *(?:"([^"\\]*)"|(-?\d+(?:\.\d+)?))/g;

/** value ANSWER KEY N: the script's own way to take a value from JSON. */
const VALUE = [
  '',
  '# value ANSWER KEY N: the N-th value of KEY in the JSON of an answer',
  'value() {',
  `  printf '%s' "$1" | grep -oE "\\"$2\\" *: *(\\"[^\\"\\\\\\\\]*\\"|-?[0-9]+(\\.[0-9]+)?)" |`,
  `    sed -n "$3p" | sed -e 's/^"[^"]*" *: *//' -e 's/^"//' -e 's/"$//'`,
  '}',
];

/** Whether a value can be told from others: an id of any kind, a label of something redacted, or a long text. */
function isTelling(key: string, value: string): boolean {
  if (value.startsWith('«')) return true;
  if (/(?:^|_)id$/i.test(key)) return value !== '';
  return value.length >= 16 && /\d/.test(value) && !/^\d{4}-\d\d-\d\dT/.test(value) && !value.includes(' ');
}

/** Everything in a request that may come from an answer: parts of its path, values of its query, headers and body. */
function valuesOf({ url, headers, body }: Exchange['request']): string[] {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const texts = [query, ...headers.map(([, value]) => value), body?.text ?? ''];
  const labels = [url, ...texts].flatMap((text) => text.match(/«[\w .-]{1,60}»/g) ?? []);
  const path = url
    .replace(/[?#].*$/, '')
    .split('/')
    .slice(3);
  const words = texts.flatMap((text) => text.match(/[\w.~-]{6,}/g) ?? []);
  return [...new Set([...labels, ...path, ...words, ...numbersIn(query), ...numbersIn(body?.text ?? '')])];
}

/** Numbers that stand as a whole value behind an `id`. */
function numbersIn(text: string): string[] {
  return [...text.matchAll(/id"? *[:=] *(\d+)/g)].map((match) => match[1]!);
}

/** Replaces a value where it is no part of a longer word. */
function replaceWhole(text: string, value: string, by: string): string {
  const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\w«.-])${escaped}(?![\\w»-])`, 'g'), () => by);
}

function variableOf(label: string): string {
  return label
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');
}

const orderOf = ({ id }: Exchange): number => Number(id.slice(1)) || 0;
const isRead = ({ request }: Exchange): boolean => READS.includes(request.method);
const isTried = ({ response }: Exchange): boolean => response !== undefined;
/** Whether a request changes what a read of a collection shows: it is sent to the collection or to a part of it. */
function isPartOf(change: Exchange, read: Exchange): boolean {
  return isRead(read) && !isRead(change) && `${pathOf(change)}/`.startsWith(`${pathOf(read)}/`);
}
const pathOf = ({ request }: Exchange): string => request.url.replace(/[?#].*$/, '');
