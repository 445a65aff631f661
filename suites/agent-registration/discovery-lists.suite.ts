/** 2 Resources: what the lists of the two metadata documents contain, and what they must not. */
import { readByOtherWay, resource } from '../../services/agents/judging/metadata-documents.ts';
import { expectListed, LISTS } from './metadata-lists.ts';
import { check } from './suite.ts';

/** For checks that read the two documents again after registrations. */
const LATER = { effects: 'write', case: 'after-registrations' } as const;

for (const listed of LISTS) {
  const { id, document } = listed;
  check(id, async (given) => {
    const { discovery } = given;
    for (const answer of [await document(discovery), ...(await readByOtherWay(discovery, document))])
      expectListed(given, answer, listed);
  });

  check(id, LATER, async (given) => {
    const { discovery, registrations } = given;
    await document(discovery);
    await registrations.twin();
    const { resource: prm, server: asm } = discovery.urls;
    expectListed(given, await discovery.later(document === resource ? prm : asm), listed);
  });
}
