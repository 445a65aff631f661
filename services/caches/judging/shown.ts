/**
 * Whether an answer to a permitted read shows what it has to: a wrong server may answer with success, and show
 * nothing.
 */
import type { Answer } from '../../../lib/http/answer.ts';
import { countIn } from '../api/lists.ts';
import type { Operation } from './access-table.ts';
import { schemas } from './schemas.ts';

/** Functions that send the read once more, with the same credentials or with the full token. */
interface Further {
  again(): Promise<Answer>;
  withFull(): Promise<Answer>;
}

/**
 * Returns what the answer to a read does not show, in words; undefined if it shows everything. Of a list it is
 * told by the number of entries; of figures and limits, which may have changed, by the form of the answer.
 */
export async function notShown(
  operation: Operation,
  answer: Answer,
  { again, withFull }: Further,
): Promise<string | undefined> {
  const misfit = misfitOf(operation, answer);
  if (operation.does !== 'list' && misfit === undefined) return undefined;
  const whole = await withFull();
  if (!whole.ok) return undefined;
  if (misfit !== undefined && misfitOf(operation, whole) === undefined) return misfit;
  // What is wrong with both bodies does not depend on the token, and entries can be counted all the same.
  if (operation.does !== 'list' || [answer, whole].some((each) => entriesIn(each) === undefined))
    return undefined;
  if (isAsLong(answer, whole) || isAsLong(await again(), whole)) return undefined;
  return `it lists ${lengthOf(answer)}, where the full token is listed ${lengthOf(whole)}`;
}

/** Returns what is wrong with the body of a read; undefined if it is as documented. */
function misfitOf(operation: Operation, answer: Answer): string | undefined {
  const schema = SCHEMAS[operation.does === 'read' ? operation.kind : operation.does];
  const [misfit] = schema === undefined ? [] : schemas.check(schema, answer.json);
  return misfit && `its body is wrong at ${misfit.pointer || 'the top'}`;
}

const SCHEMAS: Readonly<Record<string, string>> = {
  retention: 'RetentionLimit',
  storage: 'StorageLimit',
  'organization-usage': 'OrganizationUsage',
  'usage-by-repository': 'OrganizationUsageByRepository',
  'repository-usage': 'RepositoryUsage',
  list: 'CacheList',
};

const entriesIn = (answer: Answer): number | undefined => {
  const list = answer.ok ? answer.at('/actions_caches') : undefined;
  return Array.isArray(list) ? list.length : undefined;
};

const isAsLong = (one: Answer, other: Answer): boolean =>
  entriesIn(one) === entriesIn(other) && countIn(one) === countIn(other);

const lengthOf = (answer: Answer): string => `${entriesIn(answer)} of ${countIn(answer)} caches`;
