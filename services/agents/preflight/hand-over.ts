/** The first registration, made by the preflight and handed to the run: what it cost is not spent twice. */
import type { Session } from '../../../lib/check/session.ts';
import { Answer } from '../../../lib/http/answer.ts';
import type { Exchange } from '../../../lib/model/results.ts';
import type { Assertion, Subject } from '../idp/identity-provider.ts';

/** Plain data: it crosses from one thread to another. */
export interface HandedOver {
  user: Subject;
  assertion: Assertion;
  exchange: Exchange;
  status: number;
  text: string;
  /** Attempts that the preflight made. */
  attempts: number;
}

/** What the run is given. */
export function handedOver(
  { user, assertion, answer }: { user: Subject; assertion: Assertion; answer: Answer },
  attempts: number,
): HandedOver {
  return { user, assertion, exchange: answer.exchange, status: answer.status, text: answer.text, attempts };
}

/** What the preflight handed over, once: recorded in this run as if it had been sent here. */
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
