/**
 * The preflight: what the *configuration* says is tried with a handful of harmless requests before a run, so that one
 * wrong setting is not told as many faults of the target. It judges no target: where an answer may as well be the
 * target's own mistake, the run goes on and the checks judge.
 */
import type { Answer } from '../../http/answer.ts';
import { Blocked, Skipped, Undecided } from '../../model/verdict.ts';

/** What trying one setting came to. */
export interface PreflightFinding {
  /**
   * `ok`: it works. `refused`: what came back speaks for a wrong setting, and the run ends. `silent`: the address
   * gives no answer at all, and the run ends. `doubtful`: the setting or the target is wrong; the checks judge.
   * `untried`: the run may not try it.
   */
  outcome: 'ok' | 'refused' | 'silent' | 'doubtful' | 'untried';
  /** The keys of the target to look at, the likeliest first: `<service>.token`. */
  keys: readonly string[];
  /** One sentence: what was sent and what came back. */
  message: string;
  /** Further lines, such as the claims of an assertion. */
  details?: readonly string[];
}

/** What a service's preflight came to. */
export interface Preflight {
  findings: PreflightFinding[];
  /** What was spent and is not to be spent again: plain data for `session.input.handOver`. */
  handOver?: unknown;
  /** How long the run has to wait after each change, in milliseconds, where reads were seen to lag: see `lagOf`. */
  settleMs?: number;
}

/** Nobody answered, and why; `lasting` where asking again would not help. */
export interface NoAnswer {
  why: string;
  lasting: boolean;
}

/** A request of the preflight may be tried so often: networks drop some, gateways stutter. */
const TRIES = 3;
/** What does not change from one moment to the next. */
const LASTING =
  /connection refused|host name not found|speaks? TLS|certificate|not HTTP\/1\.1|EHOSTUNREACH|ENETUNREACH/i;

/** Sends a request of the preflight; where it is not answered, or by a gateway, once or twice more. */
export async function ask(send: () => Promise<Answer>): Promise<Answer | NoAnswer> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await send();
    } catch (error) {
      if (error instanceof Blocked || error instanceof Skipped) return { why: error.message, lasting: true };
      if (!(error instanceof Undecided)) throw error;
      const lasting = LASTING.test(error.message);
      if (lasting || tried === TRIES) return { why: error.message, lasting };
    }
  }
}

/** Whether somebody answered. */
export function isAnswer(answer: Answer | NoAnswer): answer is Answer {
  return 'status' in answer;
}

/** A redirection: the suite follows none. */
export function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status < 400;
}

/** A page for people, where an API was asked. */
function isPage(answer: Answer): boolean {
  const type = answer.header('content-type')[0] ?? '';
  return /\bhtml\b/i.test(type) || /^\s*<(!doctype html|html)\b/i.test(answer.text);
}

/** Answered as where there is nothing: not found, a page, a redirection. Errors of the service are none of these. */
export function isNowhere(answer: Answer): boolean {
  if (isRedirect(answer) || answer.status === 404 || answer.status === 410) return true;
  return isPage(answer) && answer.status < 500 && answer.status !== 401 && answer.status !== 403;
}

/** The most of an answer that is repeated in a sentence, in characters. */
const MOST = 160;

/** An answer in a few words: its status, and what it gives as the reason. */
export function said(answer: Answer): string {
  const { status } = answer;
  if (isRedirect(answer)) return `${status}, a redirection to ${answer.header('location')[0] ?? 'nowhere'}`;
  const texts = ['/error', '/error_description', '/message'].map((pointer) => answer.at(pointer));
  const reason = texts.filter((text) => typeof text === 'string' && text !== '').join(', ');
  if (reason !== '') return `${status} ${clipped(reason)}`;
  if (isPage(answer)) return `${status}, a page of HTML`;
  return answer.json === undefined && answer.text.trim() !== ''
    ? `${status} ${clipped(answer.text)}`
    : `${status}`;
}

export function clipped(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
}

/** A target that refuses what is right looks like one that was given what is wrong. */
export const EITHER =
  'if the setting is right, the target refuses what it has to accept, and is not thereby conformant: judge it with --no-preflight';

/** A finding that ends the run. */
export function refused(
  keys: readonly string[],
  message: string,
  details?: readonly string[],
): PreflightFinding {
  return { outcome: 'refused', keys, message, ...(details && { details }) };
}

/** A hook that was called and failed: its setting is wrong, unless the network or a gateway was in the way. */
export function failedHook(name: string, error: Blocked | Skipped | Undecided): PreflightFinding {
  const keys = [`hooks.${name}`];
  const message = `\`hooks.${name}\` does not work: ${error.message}`;
  const passing = /got no answer|gateway|throttl/.test(error.message) && !LASTING.test(error.message);
  return passing ? { outcome: 'doubtful', keys, message } : refused(keys, message);
}

/** Whether an error only says that something could not be tried or told. */
export function isNoVerdict(error: unknown): error is Blocked | Skipped | Undecided {
  return error instanceof Blocked || error instanceof Skipped || error instanceof Undecided;
}
