/** 4.2 and 4.5: strings that are not the id of any address are refused, whatever they consist of. */
import { short } from '../../lib/check/validator.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { ODD_IDS, unknownId } from '../../services/shipping/judging/address-ids.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

for (const [id, method, known] of [
  ['ADDR-READ-ODD-ID', 'GET', 'ADDR-READ-UNKNOWN-404'],
  ['ADDR-DELETE-ODD-ID', 'DELETE', 'ADDR-DELETE-UNKNOWN-404'],
] as const) {
  for (const [name, odd] of Object.entries(ODD_IDS)) {
    writeCheck(id, { case: name }, async ({ addresses, sharedAddresses, faker, expect, block }) => {
      // The twin: a valid request of the same kind, which succeeds.
      const sample = method === 'GET' ? (await sharedAddresses.full()).id : await sharedAddresses.gone();
      const verb = method === 'GET' ? 'read' : 'delete';
      const purpose = `${verb} an id that is no UUID (${name})`;
      const answer = await addresses.call({ method, path: `/${odd}`, purpose });
      // How a service that checks the form of ids refuses them is left open.
      if (answer.status >= 300 && answer.status < 500) return;
      const unknown = `/${unknownId(faker, sample)}`;
      const usual = await addresses.call({ method, path: unknown, purpose: `${verb} an unknown UUID` });
      if (usual.status >= 500 || usual.ok) block(`unknown ids are answered ${usual.status} as well`, known);
      expect.that(false, `${purpose}: answered ${answer.status}, although there is no such address`, {
        answer,
        at: 'status',
        expected: '404, or another status of the 4xx class',
        found: String(answer.status),
      });
    });
  }
}

for (const [id, method, known] of [
  ['ADDR-READ-WORD-BODY', 'GET', 'ADDR-READ-UNKNOWN-BODY'],
  ['ADDR-DELETE-WORD-BODY', 'DELETE', 'ADDR-DELETE-UNKNOWN-BODY'],
] as const) {
  writeCheck(id, async ({ addresses, faker, expect, block, skip }) => {
    const verb = method === 'GET' ? 'read' : 'delete';
    const ask = (itsId: string, purpose: string) => addresses.call({ method, path: `/${itsId}`, purpose });
    const answer = await ask('conformance', `${verb} an id that is no UUID`);
    if (answer.status !== 404) skip(`an id that is no UUID is answered ${answer.status}`);
    if (hasMessage(answer)) return;
    const usual = await ask(unknownId(faker), `${verb} an unknown UUID`);
    const isObject = usual.json !== null && typeof usual.json === 'object';
    if (!hasMessage(usual))
      block('the 404 of an unknown UUID has no message either', isObject ? 'ADDR-ERROR-MESSAGE' : known);
    expect.fail(`${verb} of an id that is no UUID: the body of the 404 has no message`, {
      answer,
      at: '/message',
      expected: 'an object with a text as `message`',
      found: short(answer.json === undefined ? answer.text.slice(0, 60) : answer.json),
    });
  });
}

function hasMessage(answer: Answer): boolean {
  return typeof answer.at('/message') === 'string';
}
