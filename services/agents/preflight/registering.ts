/**
 * Tries issuer, key and audience. Only a registration tells whether the target trusts them, and it costs an
 * attempt, so the run takes it over as its first one. A refusal is examined further only where its code does
 * not say what is wrong.
 */
import {
  ask,
  EITHER,
  failedHook,
  isAnswer,
  isNoVerdict,
  type Preflight,
  type PreflightFinding,
  refused,
  said,
} from '../../../lib/check/preflight/finding.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { fieldsWith } from '../api/registration-endpoint.ts';
import type { Registration } from '../fixtures/registration.ts';
import { Registrations } from '../fixtures/registrations.ts';
import { decode, withAlteredSignature } from '../idp/compact.ts';
import type { Assertion } from '../idp/identity-provider.ts';
import { codeOf, meansOneOf } from '../judging/error-codes.ts';
import { handedOver } from './hand-over.ts';

const SIGNING = ['agents.issuer', 'agents.key', 'hooks.mint'];

/**
 * Returns the findings about issuer, key and audience, and the first registration for the run to take over.
 */
export async function registering(session: Session): Promise<Preflight> {
  const registrations = new Registrations({ session });
  if (!registrations.canSign)
    return untried('`agents.issuer` and `agents.key` (or `hooks.mint`) are not both set: no registration');
  const minted = await mintProblem(registrations);
  if (minted) return { findings: [minted] };
  if (!registrations.endpoint.mayPost) return untried('no registration: the effects `write` are off');
  let first: Registration | undefined;
  // The run takes this answer over, so it is requested exactly as the run would request it.
  const answer = await ask(
    async () => {
      first = await registrations.first();
      return first.answer;
    },
    () => session.forgetUsed(true),
  );
  if (!isAnswer(answer) || !first)
    return untried(`no registration: ${isAnswer(answer) ? '' : answer.why}`, 'doubtful');
  return {
    findings: [await judged(registrations, first)],
    handOver: handedOver(first, registrations.endpoint.attempts.used),
  };
}

/** Returns that issuer and key were not tried. */
export function untried(message: string, outcome: PreflightFinding['outcome'] = 'untried'): Preflight {
  return { findings: [{ outcome, keys: SIGNING, message }] };
}

/** Returns a finding where the mint hook fails, or signs something other than it is asked to. */
async function mintProblem(registrations: Registrations): Promise<PreflightFinding | undefined> {
  const { session } = registrations;
  if (session.target.agents?.key !== undefined || !session.hooks.offers('mint')) return undefined;
  const keys = ['hooks.mint'];
  try {
    const provider = await registrations.provider();
    const { token } = await provider.mint(registrations.users.named('preflight'), 'https://audience.example');
    const { header, claims } = decode(token);
    if (header.alg !== 'RS256' || claims.iss !== session.target.agents?.issuer)
      return refused(
        keys,
        '`hooks.mint` signs another assertion than it is asked to',
        headerAndClaims(header, claims),
      );
    return undefined;
  } catch (error) {
    if (!isNoVerdict(error)) throw error;
    return failedHook('mint', error);
  }
}

/** Returns what the answer to the good registration says about the configuration. */
async function judged(registrations: Registrations, first: Registration): Promise<PreflightFinding> {
  const { answer, assertion } = first;
  const { agents } = registrations.session.target;
  const { header, claims } = assertion;
  const details = headerAndClaims(header, claims);
  const key = agents?.key === undefined ? 'hooks.mint' : 'agents.key';
  if (answer.ok)
    return {
      outcome: 'ok',
      keys: SIGNING,
      message: `\`agents.issuer\`, \`${key}\` and the audience: registered`,
    };
  const code = codeOf(answer) ?? '';
  const doubtful = (why: string, keys = SIGNING): PreflightFinding => ({
    outcome: 'doubtful',
    keys,
    message: `a good registration is answered with ${said(answer)}${why}`,
    details,
  });
  if (meansOneOf(code, ['issuer_not_enabled']))
    return refused(
      ['agents.issuer'],
      `the assertion's \`iss\` was ${String(claims.iss)}; the target says: ${said(answer)}; set \`agents.issuer\` to the issuer that it trusts; ${EITHER}`,
      details,
    );
  if (meansOneOf(code, ['audience_mismatch']) || /aud/i.test(code)) {
    const was = `: the assertion's \`aud\` was ${String(claims.aud)}`;
    // The audience comes from the target's own metadata, so the target contradicts itself.
    if (agents?.audience === undefined)
      return doubtful(
        `${was}, the \`resource\` of its metadata; where it wants another, set \`agents.audience\``,
        ['agents.audience'],
      );
    return refused(
      ['agents.audience'],
      `the assertion's \`aud\` was ${String(claims.aud)}; the target says: ${said(answer)}; set \`agents.audience\`, or leave it out for the \`resource\` of the metadata; ${EITHER}`,
      details,
    );
  }
  if (meansOneOf(code, ['invalid_signature']))
    return refused(
      [key, 'agents.issuer'],
      `the target does not know \`${key}\` as a key of the issuer ${String(claims.iss)}: ${said(answer)}; ${EITHER}`,
      details,
    );
  if (meansOneOf(code, ['credential_expired']))
    return doubtful('; does its clock go right? `hooks.clock` tells its time', ['hooks.clock']);
  const isOpen = answer.status === 401 && (code === '' || code === 'invalid_assertion' || !LISTED.test(code));
  if (!isOpen || !(await isRefusedAlike(registrations, assertion, answer))) return doubtful('');
  return refused(
    [key, 'agents.issuer', 'agents.audience', 'agents.user'],
    `the target refuses an assertion with \`iss\` ${String(claims.iss)} and \`aud\` ${String(claims.aud)}, and one with a broken signature alike: ${said(answer)}; look at \`agents.issuer\`, \`${key}\` and \`agents.audience\`; ${EITHER}`,
    details,
  );
}

/** Codes of section 7 that say something other than that the assertion is not trusted. */
const LISTED =
  /^(invalid_request|unsupported_credential_type|missing_verified_email|replay_detected|server_error)$/;

/**
 * Returns whether an assertion with a broken signature gets the same refusal: then neither of them was
 * trusted.
 */
async function isRefusedAlike(
  { endpoint, session }: Registrations,
  assertion: Assertion,
  answer: Answer,
): Promise<boolean> {
  const token = withAlteredSignature(assertion.token);
  session.secrets.derive(token, 'assertion');
  const broken = await ask(() =>
    endpoint.post({
      purpose: 'register with a broken signature, to see whether it is refused otherwise',
      body: { json: fieldsWith(token) },
    }),
  );
  return isAnswer(broken) && broken.status === answer.status && codeOf(broken) === codeOf(answer);
}

/**
 * Returns the header and the claims as text, one line each. They may be shown, since only the signature is
 * secret.
 */
function headerAndClaims(header: object, claims: object): string[] {
  return [`header ${JSON.stringify(header)}`, `claims ${JSON.stringify(claims)}`];
}
