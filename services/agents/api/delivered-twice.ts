/** Tells a replay from a request that the network delivered twice, where the answer to the second arrives. */
import { decodeJwt } from 'jose';
import { perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { putInDoubt } from '../../../lib/http/doubt.ts';

/** For each `jti`, how many requests with it are under way, or were accepted or may have been. */
const usesOf = perSession(() => new Map<string, number>());

/**
 * Notes that an assertion is sent.
 * @returns a function to be called with the answer. It puts the answer in doubt if that is `replay_detected` though no
 *   other request of the run has used the `jti`.
 */
export function noteUse(
  session: Session,
  assertion: string | undefined,
): (answer: Answer, code: unknown) => void {
  const uses = usesOf(session);
  const jti = jtiOf(assertion);
  if (jti === undefined) return () => {};
  const add = (by: number) => uses.set(jti, (uses.get(jti) ?? 0) + by);
  add(1);
  return ({ exchange, status }, code) => {
    if (code === 'replay_detected' && uses.get(jti) === 1)
      putInDoubt(exchange, '`replay_detected` for a `jti` that no other request has used');
    if (status >= 400 && status < 500) add(-1);
  };
}

/** Returns the `jti` of an assertion; `undefined` where it has none that can be read. */
function jtiOf(assertion: string | undefined): string | undefined {
  try {
    const jti: unknown = decodeJwt(assertion ?? '').jti;
    return typeof jti === 'string' ? jti : undefined;
  } catch {
    return undefined;
  }
}
