/**
 * Which settings would let more of the catalogue be exercised: the keys of the configuration for want of
 * which checks were skipped, ranked by how many requirements they unlock.
 */
import type { RunReport } from '../model/results.ts';
import { count } from './words.ts';

/** Keys that have to be set together, and what that unlocks. */
export interface Unlock {
  /** Keys as they are written below `targets.<name>.`, or flags of the command line. */
  keys: string[];
  /** How many more requirements are exercised then, not counting those that the entries before it unlock. */
  gains: number;
}

const KEY = '`(?:targets\\.[^.`]+\\.)?([a-z]\\w*(?:\\.\\w+)+)`';

/**
 * Returns the keys and flags that the reason of a skipped check asks for; the check needs all of them. Empty
 * where the user can do nothing.
 */
function askedFor(reason: string): string[] {
  const [line = ''] = reason.split('\n');
  const token = /add a token with `([^`]+)` to `targets\.[^.`]+\.([^`]+)`/.exec(line);
  if (token) return [`${token[2]} with ${token[1]}`];
  const flag = /allow \w+ with (--effects \S+)/.exec(line) ?? /allow more with (--[\w-]+)/.exec(line);
  const keys = /\b(?:set|name)\b/.test(line)
    ? [...line.matchAll(new RegExp(`${KEY}(?:,? or ${KEY})?`, 'g'))].map(([, one, other]) =>
        other === undefined ? one! : `${one} or ${other}`,
      )
    : [];
  return [...new Set([...keys, ...(flag ? [flag[1]!] : [])])].sort();
}

/** For every required entry that was skipped, the shortest list of keys that lets one of its checks run. */
function needs(report: RunReport): string[][] {
  const asked = new Map<string, string[]>();
  for (const check of report.checks) {
    if (check.verdict !== 'skipped') continue;
    const keys = askedFor(check.reason ?? '');
    if (keys.length === 0) continue;
    for (const id of check.requirements) {
      const known = asked.get(id);
      if (known === undefined || keys.length < known.length) asked.set(id, keys);
    }
  }
  return report.requirements
    .filter(({ level, verdict }) => level === 'required' && verdict === 'skipped')
    .map(({ id }) => asked.get(id) ?? [])
    .filter((keys) => keys.length > 0);
}

/**
 * Returns the lists of keys, the most rewarding first. A key that unlocks no requirement is in none of them.
 */
export function unlocks(report: RunReport): Unlock[] {
  let left = needs(report);
  const granted = new Set<string>();
  const found: Unlock[] = [];
  while (left.length > 0) {
    const missing = left.map((keys) => keys.filter((key) => !granted.has(key)));
    const candidates = new Map(missing.map((keys) => [keys.join(' '), keys]));
    let best: Unlock | undefined;
    for (const keys of candidates.values()) {
      const gains = missing.filter((one) => one.every((key) => keys.includes(key))).length;
      if (!best || gains / keys.length > best.gains / best.keys.length) best = { keys, gains };
    }
    for (const key of best!.keys) granted.add(key);
    found.push(best!);
    left = left.filter((keys) => !keys.every((key) => granted.has(key)));
  }
  // Keys that need earlier ones never unlock more than
  // those do; otherwise all would have been taken together.
  return found.sort((a, b) => b.gains - a.gains);
}

/** How many lists are told. Keys that unlock less are named in the reasons of the skipped checks. */
const TOLD = 6;

/** Puts the names in code marks, but not the words between them: `` `service.key` or `hooks.mint` ``. */
const inCode = (key: string): string =>
  key
    .split(/( or | with )/)
    .map((part, i) => (i % 2 === 0 ? `\`${part}\`` : part))
    .join('');

/**
 * Returns a line of Markdown for each of the most rewarding
 * lists of keys, such as "`hooks.seed`: 214 more requirements".
 */
export function unlockLines(report: RunReport): string[] {
  const all = unlocks(report);
  const lines = all
    .slice(0, TOLD)
    .map(({ keys, gains }) => `${keys.map(inCode).join(' and ')}: ${count(gains, 'more requirement')}`);
  const rest = all.slice(TOLD).reduce((sum, { gains }) => sum + gains, 0);
  return rest > 0
    ? [...lines, `${count(all.length - TOLD, 'other setting')}: ${count(rest, 'more requirement')}`]
    : lines;
}
