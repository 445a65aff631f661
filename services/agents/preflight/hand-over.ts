/**
 * The first registration, made by the preflight and handed to the run, so that its attempts are not spent
 * twice.
 */
import type { Session } from '../../../lib/check/session.ts';
import { Answer } from '../../../lib/http/answer.ts';
import type { Exchange } from '../../../lib/model/results.ts';
import type { Assertion, Subject } from '../idp/identity-provider.ts';

/** Plain data, since it is passed from one thread to another. */
export interface HandedOver {
  user: Subject;
  assertion: Assertion;
  exchange: Exchange;
  status: number;
  text: string;
  /** Attempts that the preflight made. */
  attempts: number;
}

/**
 * Returns what the preflight hands to the run.
 * @param attempts how many registration attempts the preflight made
 */
export function handedOver(
  { user, assertion, answer }: { user: Subject; assertion: Assertion; answer: Answer },
  attempts: number,
): HandedOver {
  return { user, assertion, exchange: answer.exchange, status: answer.status, text: answer.text, attempts };
}

/**
 * Returns what the preflight handed over, at the first call only, and records its exchange as if this run had
 * sent it.
 */
export function takenOver(
  session: Session,
): { user: Subject; assertion: Assertion; answer: Answer; attempts: number } | undefined {
  const given = session.takeHandedOver('agents') as HandedOver | undefined;
  if (!given) return undefined;
  const { user, assertion, status, text, attempts } = given;
  session.secrets.add(assertion.token, 'assertion');
  const exchange = { ...given.exchange, id: session.http.recorder.nextId() };
  session.http.recorder.keep(exchange, { issues: true });
  return { user, assertion, answer: new Answer(exchange, status, text), attempts };
}
