/** Section 5: a path that spells a name in another case, or percent-encoded, requires the same permission. */
import type { Asking } from '../../services/caches/fixtures/access.ts';
import { otherSpellings } from '../../services/caches/fixtures/other-spelling.ts';
import { ROWS, type Row } from '../../services/caches/judging/access-table.ts';
import { each, effectsOf, expectRefused } from '../../services/caches/judging/refused.ts';
import { PERMISSION_IDS } from '../../services/caches/requirement-ids/permissions.ts';
import { type CacheContext, check } from './suite.ts';

/** Fails if an operation of a row is permitted to these credentials under another spelling of its path. */
const refusedAs = (context: CacheContext, row: Row, who: Asking) =>
  each(context, row, async (operation) => {
    const { access } = context;
    const paths = await otherSpellings(context, await access.placeFor(operation));
    // A request with the token goes first on the same connection: a wrong server may take the next one,
    // without a token, for another request with it.
    if (who.auth === 'none' && effectsOf(row) === 'read') await access.open(operation, 'full');
    // Checks of whether there is a token depend on the spelling more often than checks of its permissions. So
    // all spellings are tried without a token, and only one with a token.
    const asking = (who.auth === 'none' ? paths : paths.slice(0, 1)).map((path) => ({ ...who, path }));
    expectRefused(context, await access.attempt(operation, asking), operation);
  });

for (const row of ROWS) {
  const { missing, classicLacking } = PERMISSION_IDS[row.code];
  const options = { effects: effectsOf(row), case: 'other-spelling' };

  check(missing, options, (context) =>
    refusedAs(context, row, { label: 'no token', auth: 'none', valid: false }),
  );

  check(classicLacking, { ...options, needs: ['caches.tokens'] }, async (context) => {
    const { access, skip } = context;
    const [token] = access.lacking(row, 'classic');
    if (!token) return skip(`there is no classic token without ${row.scope}`);
    const valid = await access.valid(token);
    await refusedAs(context, row, { label: token.label, auth: { token: token.token }, valid });
    if (!valid) skip(`${token.label} is not known to be valid, so its refusal shows nothing`);
  });
}
