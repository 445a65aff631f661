/**
 * 4.2 and 4.4 to 4.6: names that every object inherits in some languages, such as `constructor`, are not ids
 * of addresses. A server that keeps addresses in a plain JavaScript object finds something under them.
 */
import type { Answer } from '../../lib/http/answer.ts';
import { shows } from '../../services/shipping/api/addresses.ts';
import { accepted } from '../../services/shipping/fixtures/updates.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

/** Shows first that the request succeeds for an existing address, and then sends it for this id. */
type Request = (context: SuiteContext, id: string) => Promise<Answer>;

const REQUESTS: [requirement: string, ids: string[], request: Request][] = [
  [
    'ADDR-READ-UNKNOWN-404',
    ['constructor', 'toString', '__proto__'],
    async ({ addresses, sharedAddresses }, id) => {
      await sharedAddresses.full();
      return addresses.read(id, `read the id ${id}`);
    },
  ],
  [
    'ADDR-UPDATE-UNKNOWN-REFUSED',
    ['constructor'],
    async ({ addresses, updates }, id) => {
      accepted(await updates.single('alias_name'));
      const answer = await addresses.update(id, { alias_name: 'Conformance' }, {}, `update the id ${id}`);
      // If the update stored an address under that id, it is removed before other checks read the list.
      if (shows(await addresses.read(id, `read the id ${id}`), id)) await addresses.remove(id);
      return answer;
    },
  ],
  [
    'ADDR-DELETE-UNKNOWN-404',
    ['constructor'],
    async ({ addresses, sharedAddresses }, id) => {
      await sharedAddresses.gone();
      return addresses.remove(id, `delete the id ${id}`);
    },
  ],
  [
    'ADDR-VERIFY-UNKNOWN-REFUSED',
    ['constructor'],
    async ({ addresses, verification }, id) => {
      await verification.accepted();
      const answer = await addresses.verify(
        id,
        { carriers: [await verification.carrier()] },
        `verify the id ${id}`,
      );
      if (shows(answer, id)) await addresses.remove(id);
      return answer;
    },
  ],
];

for (const [requirement, ids, request] of REQUESTS) {
  writeCheck(requirement, { case: 'inherited-names' }, async (context) => {
    // Whether such an id is refused with 404 or as malformed is left open.
    for (const id of ids) context.expect.refused(await request(context, id), 'no address has this id');
  });
}
