/** What differs between two runs, requirement by requirement. */
import type { RunReport } from '../model/results.ts';
import { type Outcome, outcomeOf } from './words.ts';

/** One requirement in two runs. */
export interface Change {
  id: string;
  title: string;
  before: Outcome | 'absent';
  after: Outcome | 'absent';
}

/** Two runs, compared. */
export interface Comparison {
  /** Held or was not exercised before, and fails now. */
  broke: Change[];
  /** Failed, and holds now. */
  fixed: Change[];
  /** Exercised now, and was not before. */
  newlyExercised: Change[];
  /** Not exercised any more. */
  noLongerExercised: Change[];
  /** Silences that the target fills in another way now. */
  answeredDifferently: { id: string; question: string; before: string[]; after: string[] }[];
  /**
   * Requirements whose level or statement is another one in
   * the later run, by another version of the catalogue.
   */
  changed: { id: string; before: string; after: string }[];
  /** Suites whose catalogue has another version. */
  catalogues: { suite: string; before: string; after: string }[];
  /** Requirements that only one of the runs has, by another version of the catalogue. */
  added: string[];
  removed: string[];
  /** Suites that only one of the runs covers. Their requirements are not compared. */
  onlyBefore: string[];
  onlyAfter: string[];
}

const EXERCISED: readonly string[] = ['passed', 'failed', 'warned'];

/** Compares an earlier run with a later one. */
export function compare(before: RunReport, after: RunReport): Comparison {
  const old = new Map(before.requirements.map((r) => [r.id, r]));
  const now = new Map(after.requirements.map((r) => [r.id, r]));
  const [onlyBefore, onlyAfter] = [suitesBut(before, after), suitesBut(after, before)];
  const changes = [...new Set([...old.keys(), ...now.keys()])].flatMap((id): Change[] => {
    const [was, is] = [old.get(id), now.get(id)];
    const { suite, title } = (is ?? was)!;
    if (onlyBefore.includes(suite) || onlyAfter.includes(suite)) return [];
    // A run that a pattern narrowed down says nothing about requirements that it did not choose.
    if ((!was && before.chosen) || (!is && after.chosen)) return [];
    return [{ id, title, before: was ? outcomeOf(was) : 'absent', after: is ? outcomeOf(is) : 'absent' }];
  });
  return {
    broke: changes.filter((c) => c.after === 'failed' && c.before !== 'failed'),
    fixed: changes.filter((c) => c.before === 'failed' && c.after === 'passed'),
    newlyExercised: changes.filter((c) => c.after === 'passed' && !EXERCISED.includes(c.before)),
    noLongerExercised: changes.filter((c) => EXERCISED.includes(c.before) && !EXERCISED.includes(c.after)),
    answeredDifferently: differentAnswers(before, after),
    changed: [...now].flatMap(([id, { level, statement }]) => {
      const was = old.get(id);
      if (!was || (was.level === level && was.statement === statement)) return [];
      return [{ id, before: `${was.level}: ${was.statement}`, after: `${level}: ${statement}` }];
    }),
    catalogues: otherCatalogues(before, after),
    added: changes.filter((c) => c.before === 'absent').map((c) => c.id),
    removed: changes.filter((c) => c.after === 'absent').map((c) => c.id),
    onlyBefore,
    onlyAfter,
  };
}

/** The suites of a run that the other run does not cover. */
function suitesBut({ suites = [] }: RunReport, other: RunReport): string[] {
  return suites.map(({ name }) => name).filter((name) => !other.suites?.some((each) => each.name === name));
}

function otherCatalogues(before: RunReport, after: RunReport): Comparison['catalogues'] {
  return (after.suites ?? []).flatMap(({ name, catalogueVersion: now = 'unknown' }) => {
    const suite = before.suites?.find((each) => each.name === name);
    const was = suite?.catalogueVersion ?? 'unknown';
    return suite === undefined || was === now ? [] : [{ suite: name, before: was, after: now }];
  });
}

function differentAnswers(before: RunReport, after: RunReport): Comparison['answeredDifferently'] {
  const [old, now] = [answers(before), answers(after)];
  return [...now].flatMap(([id, { question, texts }]) => {
    const was = old.get(id)?.texts;
    if (was === undefined || JSON.stringify(was) === JSON.stringify(texts)) return [];
    return [{ id, question, before: was, after: texts }];
  });
}

/** The observed answers by silence, without what differs from run to run by itself. */
function answers(report: RunReport): Map<string, { question: string; texts: string[] }> {
  const byId = new Map<string, { question: string; texts: string[] }>();
  for (const { id, question, answer } of report.observations) {
    const known = byId.get(id) ?? { question, texts: [] };
    known.texts.push(withoutData(answer));
    byId.set(id, known);
  }
  for (const { texts } of byId.values()) texts.sort();
  return byId;
}

/** Replaces test data, times and ids, which come from the run and not from what the target does. */
function withoutData(text: string): string {
  return text
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '…')
    .replaceAll(/\d+([.:]\d+)*/g, '0');
}
