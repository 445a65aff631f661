/**
 * Tries the redirect URIs of the configuration. Which one is stored for a client is known to the target alone,
 * so a refusal tells of a wrong setting as much as of a fault, unless the target accepts a URI that nobody has.
 */
import {
  ask,
  isAnswer,
  type NoAnswer,
  type PreflightFinding,
  said,
  unclear,
} from '../../../lib/check/preflight/finding.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { type Client, credentials, type Encoding, type OAuth } from '../api/oauth.ts';

/** A URI that is stored for no client. */
const NOBODYS = 'https://conformance.invalid/not-the-stored-one';

/** A client of the configuration, and its redirect URI. */
interface Stored {
  key: string;
  client: Client;
  redirectUri: string;
}

/**
 * Returns a finding for each redirect URI of the configuration. Token requests without one were granted to
 * both clients before.
 */
export async function triedRedirectUris(oauth: OAuth, encoding: Encoding): Promise<PreflightFinding[]> {
  const { redirectUri, secondClient } = oauth.config;
  const all: Stored[] = [];
  if (redirectUri !== undefined) all.push({ key: 'shipping.redirectUri', client: oauth.client, redirectUri });
  if (secondClient?.redirectUri !== undefined)
    all.push({
      key: 'shipping.secondClient.redirectUri',
      client: secondClient,
      redirectUri: secondClient.redirectUri,
    });
  const findings: PreflightFinding[] = [];
  for (const each of all) {
    const others = all.filter(({ key }) => key !== each.key).map((other) => other.redirectUri);
    findings.push(
      await tried(each, others, (uri, isOther = false) =>
        request(oauth, each.client, uri, isOther === (encoding === 'json') ? 'form' : 'json'),
      ),
    );
  }
  return findings;
}

function request(
  oauth: OAuth,
  client: Client,
  redirect_uri: string,
  encoding: Encoding,
): Promise<Answer | NoAnswer> {
  const params = { ...credentials(client), redirect_uri };
  return ask(() => oauth.request(params, encoding, 'try whether a redirect URI is the stored one'));
}

async function tried(
  { key, redirectUri }: Stored,
  others: readonly string[],
  send: (uri: string, inOtherEncoding?: boolean) => Promise<Answer | NoAnswer>,
): Promise<PreflightFinding> {
  const keys = [key];
  const answer = await send(redirectUri);
  if (isAnswer(answer) && answer.ok)
    return { outcome: 'ok', keys, message: `\`${key}\`: a token was issued with it` };
  const message = `a token request with \`${key}\` ${redirectUri} is answered with ${isAnswer(answer) ? said(answer) : `nothing (${answer.why})`}, without it a token is issued`;
  if (!isAnswer(answer) || answer.status < 400 || answer.status >= 500)
    return { outcome: 'doubtful', keys, message };
  const nobodys = await send(NOBODYS);
  if (isAnswer(nobodys) && nobodys.ok)
    return { outcome: 'doubtful', keys, message: `${message}, and with ${NOBODYS}, too` };
  const again = await send(redirectUri, true);
  if (isAnswer(again) && again.ok)
    return { outcome: 'doubtful', keys, message: `${message}, and with it in a body of the other kind, too` };
  for (const near of [...others, ...nearlySame(redirectUri)]) {
    const another = await send(near);
    if (isAnswer(another) && another.ok)
      return unclear(
        keys,
        `${message}, and with ${near}, too: if that is the one stored for the client, set \`${key}\` to it`,
      );
  }
  return unclear(
    keys,
    `${message}: set \`${key}\` to the URI that is stored for the client, or leave it out`,
  );
}

/** Returns what the user may have meant: the same URI with or without a slash at its end, or with TLS. */
function nearlySame(uri: string): string[] {
  const slashed = uri.endsWith('/') ? uri.slice(0, -1) : `${uri}/`;
  const scheme = /^https?:/.exec(uri)?.[0];
  if (scheme === undefined) return [slashed];
  return [slashed, `${scheme === 'http:' ? 'https:' : 'http:'}${uri.slice(scheme.length)}`];
}
