/** An update that makes an address the default, where one was refused: another may have the flag. */
import { Skipped } from '../../lib/model/verdict.ts';
import { idOf } from '../../services/shipping/api/addresses.ts';
import type { Update } from '../../services/shipping/fixtures/updates.ts';
import { fieldNamed } from '../../services/shipping/vocabulary.ts';
import { expectValue } from './answers.ts';
import type { SuiteContext } from './suite.ts';

/**
 * Requires that an update to `default` true is accepted and takes effect where no address is the default: whether there
 * can be a second one is left open. Throws `Skipped` where another address keeps the flag.
 */
export async function becomesDefault(
  { addresses, expect }: Pick<SuiteContext, 'addresses' | 'expect'>,
  { id, answer: first }: Update,
): Promise<void> {
  const defaults = async () => (await addresses.items()).filter((item) => item.default === true).map(idOf);
  const taken = await defaults();
  const own = new Set(await addresses.remaining());
  const refused = `an update to the default address is answered ${first.status} while another one is`;
  for (const other of taken) {
    // Addresses of others are left as they are.
    if (other === undefined || !own.has(other)) throw new Skipped(refused);
    const freed = await addresses.update(
      other,
      { default: false },
      {},
      'take the flag from the default address',
    );
    if (!freed.ok) throw new Skipped(`${refused}, which cannot give the flag away: ${freed.status}`);
  }
  // It may have passed to another one.
  if ((await defaults()).length > 0) throw new Skipped(`${refused}, and there is always one`);
  const answer = await addresses.update(id, { default: true }, {}, 'update default while no address has it');
  expect.accepted(answer, 'default may be updated, and no other address is the default');
  expectValue(expect, await addresses.stored(id), fieldNamed('default'), true, answer);
}
