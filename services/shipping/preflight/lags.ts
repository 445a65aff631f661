/** Finds out whether tokens and addresses of a target show up only some time after they were made. */
import { CheckContext } from '../../../lib/check/context.ts';
import { carries } from '../../../lib/check/journal/format.ts';
import { ask, isAnswer, isNoVerdict } from '../../../lib/check/preflight/finding.ts';
import { type Lag, lagOf } from '../../../lib/check/preflight/lag.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { AddressBook, idOf } from '../api/addresses.ts';
import { TokenPool } from '../api/token-pool.ts';

/** The most tokens that the preflight takes for this. */
const MOST_TOKENS = 2;

/** Returns the longest lag that is seen: of tokens or, where the run may save addresses, of these. */
export async function lagOfChanges(session: Session): Promise<Lag | undefined> {
  TokenPool.of(session).limitTo(MOST_TOKENS);
  const [ofTokens, ofAddresses] = [await lagOfTokens(session), await lagOfAddresses(session)];
  return (ofAddresses?.settleMs ?? 0) > (ofTokens?.settleMs ?? 0) ? ofAddresses : ofTokens;
}

/** Sees whether a token is accepted as soon as it is issued. Returns `undefined` where none is issued. */
async function lagOfTokens(session: Session): Promise<Lag | undefined> {
  try {
    const book = new AddressBook(new CheckContext(session, [], 'preflight'));
    const auth = await TokenPool.of(session).fresh();
    const list = () => book.list({}, 'see whether a new token is accepted', { auth });
    return await lagOf(session, 'a new token was accepted', list, ({ status }) => status !== 401);
  } catch (error) {
    if (!isNoVerdict(error)) throw error;
    return undefined;
  }
}

/**
 * Saves an address, sees whether reads show it and an update of it at once, and removes it. Returns
 * `undefined` where they do, where the run saves no addresses, or where the address could not be saved, which
 * the checks judge.
 */
async function lagOfAddresses(session: Session): Promise<Lag | undefined> {
  const { suites, effects } = session.options;
  if (!suites.includes('address-book') || !effects.includes('write')) return undefined;
  const book = new AddressBook(new CheckContext(session, [], 'preflight'));
  const saved = await ask(() => book.post({ address_template: book.fresh() }, 'save an address'));
  const id = isAnswer(saved) && saved.ok ? idOf(saved.at('/data')) : undefined;
  if (id === undefined) return undefined;
  let last: Answer | undefined;
  const read = async () => {
    last = await book.read(id);
    return last;
  };
  let lag =
    (await lagOf(session, 'an address was read', read, ({ ok }) => ok)) ?? (await lagOfList(session, book));
  // The id of a wrong answer may be that of somebody else's address. The end of the preflight removes its own.
  if (!carries(last?.at('/data'), session.mark)) return lag;
  // A cache in front of the service may show a new address at once, but one that was read before in an old
  // state.
  const label = book.label();
  const updated = lag ? undefined : await ask(() => book.update(id, { alias_name: label }));
  if (updated && isAnswer(updated) && updated.ok)
    lag = await lagOf(
      session,
      'an update was read',
      read,
      (answer) => answer.at('/data/alias_name') === label,
    );
  await ask(() => book.remove(id));
  return lag;
}

/** Sees whether the list shows at once that an address was saved, by the total that it gives. */
async function lagOfList(session: Session, book: AddressBook): Promise<Lag | undefined> {
  const totalIn = (answer: Answer) => answer.at('/meta/total_count');
  const before = await ask(() => book.before());
  if (!isAnswer(before) || typeof totalIn(before) !== 'number') return undefined;
  const list = () => book.list({}, 'see whether the list shows it');
  return lagOf(session, 'an address was listed', list, (answer) => totalIn(answer) !== totalIn(before));
}
