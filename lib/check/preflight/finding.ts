/**
 * The preflight tries the *configuration* with a handful of harmless requests before a run, so that one wrong
 * setting is not reported as many faults of the target. It judges no target: where an answer may as well be
 * due to a fault of the target, the run goes on and the checks decide.
 */
import type { Answer } from '../../http/answer.ts';
import { doubtOf } from '../../http/doubt.ts';
import { Blocked, HookFailed, Skipped, Undecided } from '../../model/verdict.ts';

/** The outcome of trying one setting. */
export interface PreflightFinding {
  /**
   * `ok`: the setting works. `refused`: the answer suggests that the setting is wrong, and the run ends.
   * `silent`: the URL gives no answer at all, and the run ends. `doubtful`: the setting or the target is
   * wrong, and the checks decide. `unclear`: the setting or the target is wrong, and nothing that may be sent
   * tells which: the run goes on, and checks that need one of the keys are blocked by it. `untried`: the run
   * may not try it.
   */
  outcome: 'ok' | 'refused' | 'silent' | 'doubtful' | 'unclear' | 'untried';
  /** The keys of the target to look at, the likeliest first: `<service>.token`. */
  keys: readonly string[];
  /** One sentence: what was sent and what came back. */
  message: string;
  /** What `unclear` blocks in the place of the keys, by the names that the service asks for: see `Session.requireClear`. */
  blocks?: readonly string[];
  /** Further lines, such as the claims of an assertion. */
  details?: readonly string[];
}

/** The outcome of a service's preflight. */
export interface Preflight {
  findings: PreflightFinding[];
  /** What the preflight obtained at a cost and the run can use: plain data for `session.input.handOver`. */
  handOver?: unknown;
  /** How long the run has to wait after each change, in milliseconds, where reads were seen to lag: see `lagOf`. */
  settleMs?: number;
}

/** Why no answer came; `lasting` where asking again would not help. */
export interface NoAnswer {
  why: string;
  lasting: boolean;
}

/** How often a request of the preflight is tried: networks lose some, and gateways answer some in its place. */
const TRIES = 3;
/** Errors that do not go away when the request is sent again. */
const LASTING =
  /connection refused|host name not found|speaks? TLS|certificate|not HTTP\/1\.1|EHOSTUNREACH|ENETUNREACH/i;

/**
 * Sends a request of the preflight, up to `TRIES` times while nobody answers, or the answer may be that of a gateway,
 * or damaged (see doubt.ts).
 * @param forget called before each further try; it forgets shared work, which would give the same answer again
 */
export async function ask(
  send: () => Promise<Answer>,
  forget: () => void = () => {},
): Promise<Answer | NoAnswer> {
  for (let tried = 1; ; tried += 1) {
    if (tried > 1) forget();
    try {
      const answer = await send();
      const isSure = doubtOf(answer.exchange) === undefined || answer.status === 429;
      if (isSure || tried === TRIES) return answer;
    } catch (error) {
      if (error instanceof Blocked || error instanceof Skipped) return { why: error.message, lasting: true };
      if (!(error instanceof Undecided)) throw error;
      const lasting = LASTING.test(error.message);
      if (lasting || tried === TRIES) return { why: error.message, lasting };
    }
  }
}

/** Returns whether there was an answer. */
export function isAnswer(answer: Answer | NoAnswer): answer is Answer {
  return 'status' in answer;
}

/** Returns whether an answer is a redirection, which the suite does not follow. */
export function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status < 400;
}

/** Returns whether an answer is a page for people, where an API was asked. Some APIs call their JSON `text/html`. */
function isPage(answer: Answer): boolean {
  const type = answer.header('content-type')[0] ?? '';
  const isTyped = /\bhtml\b/i.test(type) && answer.json === undefined;
  return isTyped || /^\s*<(!doctype html|html)\b/i.test(answer.text);
}

/**
 * Returns whether requests that have nothing in common are all answered alike, with success, 403 or 405, and so by
 * something that does not look at what it is asked. A service may refuse all of them for a header that they share.
 */
export function isOneForAll(answers: readonly Answer[]): boolean {
  const [first, ...others] = answers;
  if (!first || others.length === 0 || !(first.ok || first.status === 403 || first.status === 405))
    return false;
  return others.every(({ status, text }) => status === first.status && text === first.text);
}

/**
 * Returns whether an answer is one that a server gives where there is no API: not found, a page, a
 * redirection. Errors of the service are none of these.
 */
export function isNowhere(answer: Answer): boolean {
  if (isRedirect(answer) || answer.status === 404 || answer.status === 410) return true;
  return isPage(answer) && answer.status < 500 && answer.status !== 401 && answer.status !== 403;
}

/** How many characters of an answer are quoted in a sentence. */
const MOST = 160;

/** Returns an answer in a few words: its status, and what it gives as the reason. */
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

/** The end of a message: a target that refuses what is right looks like one with a wrong setting. */
export const EITHER =
  'if the setting is right, the target refuses what it has to accept, and is not thereby conformant: judge it with --no-preflight';

/** Returns a finding that ends the run. */
export function refused(
  keys: readonly string[],
  message: string,
  details?: readonly string[],
): PreflightFinding {
  return { outcome: 'refused', keys, message, ...(details && { details }) };
}

/** Whether the clock hook was found not to work. What depends on the time would be refused for that reason. */
export function isClockRefused(findings: readonly PreflightFinding[]): boolean {
  return findings.some(({ outcome, keys }) => outcome === 'refused' && keys.includes('hooks.clock'));
}

/** Returns a finding that blocks the checks that need one of the keys. */
export function unclear(keys: readonly string[], message: string): PreflightFinding {
  return { outcome: 'unclear', keys, message: `${message}; ${EITHER}` };
}

/** Errors of a hook that the network or a gateway may have caused, and that need not recur. */
const PASSING = /got no answer|gateway|throttl/;
/** A hook has long enough: where its answer does not come in that time, asking again would only take as long again. */
const TOO_LATE = /no complete answer within/;

/** Returns whether a call of a hook may have failed because of the network or a gateway. */
function isPassing({ message }: Error): boolean {
  return PASSING.test(message) && !LASTING.test(message) && !TOO_LATE.test(message);
}

/**
 * Calls a hook, up to `TRIES` times while the network or a gateway fails.
 * @param call calls it; doing so twice must do no harm
 * @throws what the last call throws; HookFailed in the place of an error that recurred
 */
export async function askHook<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Undecided) || !isPassing(error)) throw error;
      if (tried === TRIES) throw new HookFailed(`${error.message}, ${TRIES} times in a row`);
    }
  }
}

/** Returns the finding for a hook that failed: a wrong setting, unless the network or a gateway failed. */
export function failedHook(name: string, error: Blocked | Skipped | Undecided): PreflightFinding {
  const keys = [`hooks.${name}`];
  const message = `\`hooks.${name}\` does not work: ${error.message}`;
  const passing = isPassing(error) && !(error instanceof HookFailed);
  return passing ? { outcome: 'doubtful', keys, message } : refused(keys, message);
}

/** Returns whether an error only says that something could not be tried or decided. */
export function isNoVerdict(error: unknown): error is Blocked | Skipped | Undecided {
  return error instanceof Blocked || error instanceof Skipped || error instanceof Undecided;
}
