/** What becomes of a revoked token: a gateway may go on to accept it for a while. */
import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { AccessToken } from '../../services/shipping/api/oauth.ts';
import type { OAuthContext } from './suite.ts';

/** Longest wait for a revocation to take effect, in milliseconds of the target's time. */
const PATIENCE_MS = 600_000;

/**
 * Presents a revoked token until it is refused: for minutes where the target's clock can be moved, since caches may
 * keep tokens that long; otherwise for the seconds that the user allows. Whether a revocation takes effect at once is
 * the subject of a requirement of its own.
 * @returns the last answer
 */
export async function presentEnded(
  { tokenAccess, time }: OAuthContext,
  token: AccessToken,
  purpose = 'list addresses with the revoked token',
): Promise<Answer> {
  let stepMs = 1_000;
  for (let left = time.pollLimit(PATIENCE_MS); ; left -= stepMs, stepMs *= time.movable ? 2 : 1) {
    const answer = await tokenAccess.present(token, purpose);
    if (!answer.ok || left <= 0) return answer;
    await time.wait(Math.min(stepMs, left));
  }
}

/**
 * Returns the answer to a good revocation of an accepted token, the last answer to its use afterwards, and after
 * how many milliseconds of the target's time that was.
 */
export const endedByRevocation = perRun(
  'shipping: token before and after its revocation',
  async (context: OAuthContext): Promise<{ answer: Answer; access: Answer; lateMs: number }> => {
    const { oauth, tokenAccess, time } = context;
    const twin = await tokenAccess.openToken();
    const answer = await oauth.revoke(twin.value);
    const first = await tokenAccess.present(twin, 'list addresses with the revoked token');
    if (!first.ok) return { answer, access: first, lateMs: 0 };
    const revokedAt = time.elapsed();
    const access = await presentEnded(context, twin);
    return { answer, access, lateMs: time.elapsed() - revokedAt };
  },
);

/** Blocks unless a revocation without a hint is answered with 200 and ends the token. */
export async function endsWithoutHint(context: OAuthContext): Promise<void> {
  const { answer, access } = await endedByRevocation(context);
  if (answer.status !== 200)
    context.block(`revoke without a hint answered ${answer.status}`, 'TOKEN-REVOKE-STATUS', answer);
  if (access.ok)
    context.block('a revocation without a hint does not end the token', 'TOKEN-REVOKE-ACCESS-ENDS');
}

/**
 * Waits until a revocation has taken effect, on a target where that takes time. For checks that a token survives
 * what was sent; needs `endsWithoutHint` before.
 */
export async function revocationsSettle(context: OAuthContext): Promise<void> {
  await context.time.wait(2 * (await endedByRevocation(context)).lateMs);
}
