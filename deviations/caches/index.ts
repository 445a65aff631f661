/** Everything that this service contributes to the proof. */

import type { CacheRules } from '../../reference/caches/index.ts';
import type { ServiceProof } from '../types.ts';
import { cacheVariants } from '../variants/caches/index.ts';
import { advisedDeviations } from './advised.ts';
import { deletingAnswerDeviations } from './deleting-answers.ts';
import { deletingAtOnceDeviations } from './deleting-at-once.ts';
import { deletingByIdDeviations } from './deleting-by-id.ts';
import { deletingByKeyDeviations } from './deleting-by-key.ts';
import { deletingByRefDeviations } from './deleting-by-ref.ts';
import { deletingWithoutKeyDeviations } from './deleting-without-key.ts';
import { emptiedDeviations } from './emptied.ts';
import { entryFigureDeviations } from './entries-figures.ts';
import { entryNameDeviations } from './entries-names.ts';
import { everyOrderDeviations } from './every-order.ts';
import { grossDeviations } from './gross.ts';
import { hierarchyCapDeviations } from './hierarchy-caps.ts';
import { hierarchyKeptDeviations } from './hierarchy-kept.ts';
import { hierarchyRefusedDeviations } from './hierarchy-refused.ts';
import { hierarchyRememberedDeviations } from './hierarchy-remembered.ts';
import { hierarchyReversedDeviations } from './hierarchy-reversed.ts';
import { quotedKeyDeviations } from './keys-quoted.ts';
import { limitBodyDeviations } from './limits-bodies.ts';
import { limitLastingDeviations } from './limits-lasting.ts';
import { limitMalformedDeviations } from './limits-malformed.ts';
import { limitScopeDeviations } from './limits-scopes.ts';
import { limitSeparateDeviations } from './limits-separate.ts';
import { limitSettingDeviations } from './limits-settings.ts';
import { limitUnknownDeviations } from './limits-unknown.ts';
import { limitUntouchedDeviations } from './limits-untouched.ts';
import { listAgainDeviations } from './list-again.ts';
import { listContentsDeviations } from './list-contents.ts';
import { listKeyDeviations } from './list-key.ts';
import { listPageDeviations } from './list-pages.ts';
import { listRefDeviations } from './list-ref.ts';
import { listSortDeviations } from './list-sort.ts';
import { listTotalDeviations } from './list-totals.ts';
import { nameDeviations } from './names.ts';
import { nameAlikeDeviations } from './names-alike.ts';
import { occupiedRepository } from './occupied.ts';
import { oddAnswerDeviations } from './odd-answers.ts';
import { otherCallerDeviations } from './other-callers.ts';
import { otherListDeviations } from './other-lists.ts';
import { otherSpellingDeviations } from './other-spelling.ts';
import { permissionDeviations } from './permissions.ts';
import { permissionFormDeviations } from './permissions-by-form.ts';
import { permissionSchemeDeviations } from './permissions-by-scheme.ts';
import { nearPermissionDeviations } from './permissions-near.ts';
import { publicDeviations } from './permissions-public.ts';
import { readAtOnceDeviations } from './reads-at-once.ts';
import { referenceDeviations } from './references.ts';
import { removalDeviations } from './removal.ts';
import { removalLimitDeviations } from './removal-limits.ts';
import { representationDeviations } from './representation.ts';
import { secondPageDeviations } from './second-page.ts';
import { cachesSurface } from './surface.ts';
import { uncommonDeletionDeviations } from './uncommon-deletions.ts';
import { uncommonFigureDeviations } from './uncommon-figures.ts';
import { uncommonLimitDeviations } from './uncommon-limits.ts';
import { uncommonListDeviations } from './uncommon-lists.ts';
import { uncommonStateDeviations } from './uncommon-states.ts';
import { unservedDeviations } from './unserved.ts';
import { usageDriftDeviations } from './usage-drift.ts';
import { usageFigureDeviations } from './usage-figures.ts';
import { usagePageDeviations } from './usage-pages.ts';
import { usageRefreshDeviations } from './usage-refresh.ts';
import { usageScopeDeviations } from './usage-scope.ts';
import { withoutEffectDeviations } from './without-effect.ts';

export const cachesProof: ServiceProof<CacheRules> = {
  service: 'caches',
  deviations: [
    ...limitSettingDeviations,
    ...limitLastingDeviations,
    ...limitUntouchedDeviations,
    ...limitUnknownDeviations,
    ...limitMalformedDeviations,
    ...limitBodyDeviations,
    ...limitSeparateDeviations,
    ...limitScopeDeviations,
    ...hierarchyCapDeviations,
    ...hierarchyRefusedDeviations,
    ...hierarchyReversedDeviations,
    ...hierarchyKeptDeviations,
    ...hierarchyRememberedDeviations,
    ...nameDeviations,
    ...permissionDeviations,
    ...nearPermissionDeviations,
    ...publicDeviations,
    ...permissionFormDeviations,
    ...permissionSchemeDeviations,
    ...otherSpellingDeviations,
    ...representationDeviations,
    ...advisedDeviations,
    ...entryNameDeviations,
    ...entryFigureDeviations,
    ...secondPageDeviations,
    ...usageFigureDeviations,
    ...usageDriftDeviations,
    ...emptiedDeviations,
    ...usageRefreshDeviations,
    ...usageScopeDeviations,
    ...usagePageDeviations,
    ...listContentsDeviations,
    ...listAgainDeviations,
    ...listPageDeviations,
    ...listTotalDeviations,
    ...listKeyDeviations,
    ...quotedKeyDeviations,
    ...listRefDeviations,
    ...referenceDeviations,
    ...listSortDeviations,
    ...deletingByKeyDeviations,
    ...deletingAnswerDeviations,
    ...deletingWithoutKeyDeviations,
    ...deletingByRefDeviations,
    ...deletingByIdDeviations,
    ...deletingAtOnceDeviations,
    ...removalDeviations,
    ...removalLimitDeviations,
    ...readAtOnceDeviations,
    ...uncommonListDeviations,
    ...uncommonDeletionDeviations,
    ...uncommonFigureDeviations,
    ...uncommonStateDeviations,
    ...uncommonLimitDeviations,
    ...oddAnswerDeviations,
    ...everyOrderDeviations,
    ...otherListDeviations,
    ...nameAlikeDeviations,
    ...withoutEffectDeviations,
    ...otherCallerDeviations,
    ...grossDeviations,
    ...unservedDeviations,
  ],
  occupied: occupiedRepository,
  surface: cachesSurface,
  variants: cacheVariants,
};
