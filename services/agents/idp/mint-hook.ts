/** The mint hook: signs assertions with a key that the suite is not given (docs/hooks.md). */
import type { Hooks } from '../../../lib/http/hooks.ts';
import { Undecided } from '../../../lib/model/verdict.ts';

/** Signs an assertion: header and claims in, compact JWS out. Throws `Undecided` when the hook fails. */
export type Mint = (header: Record<string, unknown>, claims: Record<string, unknown>) => Promise<string>;

/** Returns the hook; `undefined` where the target offers none. */
export function mintHook(hooks: Hooks): Mint | undefined {
  if (!hooks.offers('mint')) return undefined;
  return async (header, claims) => {
    const { token } = await hooks.call('mint', { header, claims });
    if (typeof token !== 'string') throw new Undecided('hook mint: the answer has no string `token`');
    return token;
  };
}
