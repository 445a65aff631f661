import type { CheckContext } from '../../../lib/check/context.ts';
import { Blocked, Skipped, Undecided } from '../../../lib/model/verdict.ts';
import { ApiAccess } from '../api/api-access.ts';
import { Discovery } from '../fixtures/discovery.ts';
import { Registrations } from '../fixtures/registrations.ts';
import { foreignKeyPair } from '../idp/keys.ts';
import { codeOf, isListed } from './error-codes.ts';

type Sign = () => Promise<boolean>;

/**
 * Shows that the target implements the service by one of three signs, chosen so that a single fault breaks at
 * most two of them: it serves a document, and its API answers 401 without a key; it serves a document and
 * refuses a malformed registration; it issues a key, and either distinguishes it from an unknown one or
 * refuses a malformed registration. Throws `Blocked` when none of them holds, and `Undecided` when none holds
 * and one could not be decided.
 */
export async function signOfLife(context: CheckContext): Promise<void> {
  // Making an RSA key takes a while, in a thread of its own: begun here, it is there when checks need it.
  void foreignKeyPair('RS256');
  const discovery = new Discovery(context);
  const registrations = new Registrations(context);
  const mayRegister = registrations.endpoint.mayPost;
  // Sent without the twin, since this sign does not require that a good registration succeeds.
  const refusesMalformed = async () => {
    const answer = await registrations.endpoint.probe(await registrations.endpoint.url());
    return !answer.ok && isListed(codeOf(answer) ?? '');
  };
  const signs: Sign[] = [
    async () => {
      const [challenged, document] = [await discovery.challenge(), await discovery.resource()];
      return challenged.answer.status === 401 && document.status === 200 && isText(document.at('/resource'));
    },
    async () => {
      const document = mayRegister ? await discovery.server() : undefined;
      return (
        document?.status === 200 &&
        isText(document.at('/agent_auth/register_uri')) &&
        (await refusesMalformed())
      );
    },
    async () => {
      if (!mayRegister || (await registrations.first()).key === undefined) return false;
      const apiAccess = new ApiAccess(context);
      const [open, unknown] = [await apiAccess.open(), await apiAccess.unknown()];
      return (open.status !== 401 && unknown.status === 401) || (await refusesMalformed());
    },
  ];
  let undecided: Undecided | undefined;
  for (const sign of signs) {
    try {
      if (await sign()) return;
    } catch (error) {
      if (error instanceof Undecided) undecided ??= error;
      else if (!(error instanceof Blocked) && !(error instanceof Skipped)) throw error;
    }
  }
  if (undecided) throw undecided;
  throw new Blocked(
    'nothing shows that the target implements the service, so that a pass would mean nothing: it does not both answer a call without a key with 401 and serve its metadata, it does not both serve its metadata and refuse malformed JSON with a code of section 7, and it issues no key that opens what another key does not',
    await atFault(discovery),
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Returns the first requirement of discovery that does not hold, as the cause to name. */
async function atFault(discovery: Discovery): Promise<string> {
  const [challenged, document] = [await discovery.challenge(), await discovery.resource()];
  if (challenged.answer.status !== 401) return 'AGENT-CHALLENGE-STATUS';
  return document.status === 200 ? 'AGENT-PRM-RESOURCE' : 'AGENT-PRM-STATUS';
}
