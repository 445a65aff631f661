/** Tries the settings of a target under `shipping`, with one token for each client and few other requests. */
import { addressProblem } from '../../../lib/check/preflight/address.ts';
import {
  ask,
  EITHER,
  isAnswer,
  isNowhere,
  isOneForAll,
  type NoAnswer,
  type Preflight,
  type PreflightFinding,
  refused,
  said,
} from '../../../lib/check/preflight/finding.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { type Client, credentials, type Encoding, OAuth, type Params } from '../api/oauth.ts';
import { lagOfChanges } from './lags.ts';
import { triedResource } from './protected-resource.ts';
import { triedRedirectUris } from './redirect-uris.ts';

/** Paths that users append to the base URL by mistake, although the suite adds them itself. */
const DOUBLED = ['/api/v1', '/api/v1/oauth', '/api/v1/oauth/token', '/api'];

/**
 * See the module comment.
 *
 * @param before findings of earlier steps; where one of them stops the run, no address is saved to see
 *   whether reads lag
 */
export async function preflight(session: Session, before: readonly PreflightFinding[]): Promise<Preflight> {
  const settings = new SettingsCheck(session);
  const access = await settings.access();
  if (access.outcome !== 'ok') return { findings: [access] };
  const findings = [access, ...(await settings.furtherSettings())];
  const isRefused = [...before, ...findings].some(({ outcome }) => outcome === 'refused');
  const lag = isRefused ? undefined : await lagOfChanges(session);
  return lag ? { findings: [...findings, lag.finding], settleMs: lag.settleMs } : { findings };
}

class SettingsCheck {
  readonly #session: Session;
  readonly #oauth: OAuth;
  /** The kind of body for which the target issues tokens. */
  #encoding: Encoding = 'form';
  #token: string | undefined;

  constructor(session: Session) {
    this.#session = session;
    this.#oauth = new OAuth({ session });
  }

  /** Tries whether the client gets a token. */
  async access(): Promise<PreflightFinding> {
    const keys = ['shipping.clientId', 'shipping.clientSecret'];
    const form = await this.#request({}, 'form');
    if (isIssued(form)) return this.#opened(form as Answer, 'form');
    const json = isAnswer(form) ? await this.#request({}, 'json') : form;
    if (isIssued(json)) return this.#opened(json as Answer, 'json');
    const address = await this.#addressProblem([form, json]);
    if (address) return address;
    const received = [form, json].filter(isAnswer);
    const named = received.filter(namesCredentials);
    // The checks judge a refusal for another reason, or an error of the server.
    if (received.length === 0 || named.length < received.length) {
      return {
        outcome: 'doubtful',
        keys,
        message: `a good token request is answered with ${describeAnswer(form)} as a form and ${describeAnswer(json)} as JSON`,
      };
    }
    return refused(
      keys,
      `the target refuses \`shipping.clientId\`/\`clientSecret\`: ${said(named[0] as Answer)}; ${EITHER}`,
    );
  }

  #opened(answer: Answer, encoding: Encoding): PreflightFinding {
    this.#encoding = encoding;
    this.#token = answer.at('/access_token') as string;
    return {
      outcome: 'ok',
      keys: ['shipping.clientId', 'shipping.clientSecret'],
      message: `\`shipping.baseUrl\`, \`clientId\` and \`clientSecret\`: a token was issued (${answer.status})`,
    };
  }

  /** Tries the second client, and what the configuration says about tokens. */
  async furtherSettings(): Promise<PreflightFinding[]> {
    const { config } = this.#oauth;
    const { secondClient, scopes, refreshToken } = config;
    const findings: PreflightFinding[] = [];
    if (secondClient) findings.push(await this.#secondClient(secondClient as Client));
    if (findings.every(({ outcome }) => outcome !== 'refused'))
      findings.push(...(await triedRedirectUris(this.#oauth, this.#encoding)));
    if (scopes) findings.push(await this.#parameter('scopes', { scope: scopes.join(' ') }));
    if (this.#token !== undefined)
      findings.push(...(await triedResource(this.#session, config, this.#token)));
    if (refreshToken !== undefined && this.#token !== undefined)
      findings.push(await this.#refreshToken(refreshToken, this.#token));
    return findings;
  }

  async #secondClient(client: Client): Promise<PreflightFinding> {
    const keys = ['shipping.secondClient'];
    if (client.clientId === this.#oauth.client.clientId)
      return refused(keys, '`shipping.secondClient` is the first client again: name another one');
    const answer = await this.#request(credentials(client), this.#encoding);
    if (isAnswer(answer) && answer.ok)
      return { outcome: 'ok', keys, message: '`shipping.secondClient`: a token was issued' };
    if (isAnswer(answer) && namesCredentials(answer)) {
      const [other, words] =
        this.#encoding === 'form' ? (['json', 'JSON'] as const) : (['form', 'a form'] as const);
      const again = await this.#request(credentials(client), other);
      if (isAnswer(again) && again.ok) {
        return {
          outcome: 'doubtful',
          keys,
          message: `a good token request of \`shipping.secondClient\` is answered with ${said(answer)}, and accepted as ${words}: the target reads one of them wrongly`,
        };
      }
      return refused(keys, `the target refuses \`shipping.secondClient\`: ${said(answer)}; ${EITHER}`);
    }
    return {
      outcome: 'doubtful',
      keys,
      message: `a good token request of \`shipping.secondClient\` is answered with ${describeAnswer(answer)}`,
    };
  }

  /** Tries a parameter of token requests. The same request without it was granted before. */
  async #parameter(key: string, params: Params): Promise<PreflightFinding> {
    const keys = [`shipping.${key}`];
    const answer = await this.#request(params, this.#encoding);
    if (isAnswer(answer) && answer.ok)
      return { outcome: 'ok', keys, message: `\`shipping.${key}\`: a token was issued with it` };
    return {
      outcome: 'doubtful',
      keys,
      message: `a token request with \`shipping.${key}\` is answered with ${describeAnswer(answer)}, without it a token is issued: the setting or the target is wrong`,
    };
  }

  /**
   * Tries the refresh token with introspection, which does not use it up. Its answer means something only
   * where introspection distinguishes an access token from a value that is no token.
   */
  async #refreshToken(refreshToken: string, accessToken: string): Promise<PreflightFinding> {
    const keys = ['shipping.refreshToken'];
    const introspect = (token: string) => ask(() => this.#oauth.introspect(token));
    const [access, refresh] = [await introspect(accessToken), await introspect(refreshToken)];
    const isActive = (answer: Answer | NoAnswer) => (isAnswer(answer) ? answer.at('/active') : undefined);
    if (isActive(access) === true && isActive(refresh) === false)
      // Some servers introspect access tokens only, so this does not stop the run.
      return {
        outcome: 'doubtful',
        keys,
        message:
          'the target says that `shipping.refreshToken` is not active: it may have been used already, or refresh tokens are not introspected',
      };
    if (isActive(refresh) === true)
      return { outcome: 'ok', keys, message: '`shipping.refreshToken`: the target says that it is active' };
    return {
      outcome: 'untried',
      keys,
      message: '`shipping.refreshToken`: only its use would tell, and use it up',
    };
  }

  #request(params: Params, encoding: Encoding): Promise<Answer | NoAnswer> {
    return ask(() => this.#oauth.request(params, encoding, 'try whether a token can be had'));
  }

  async #addressProblem(answers: readonly (Answer | NoAnswer)[]): Promise<PreflightFinding | undefined> {
    const { baseUrl } = this.#oauth.config;
    const heard = answers.filter(isAnswer);
    if (heard.some((answer) => !isNowhere(answer)) && !isOneForAll(heard)) return undefined;
    const list = await this.#list(baseUrl);
    return addressProblem(
      { key: 'shipping.baseUrl', url: baseUrl, doubled: DOUBLED, haveNothingInCommon: true },
      [...answers, list],
      (url) => this.#list(url),
    );
  }

  /** Requests the list without a token. */
  #list(baseUrl: string): Promise<Answer | NoAnswer> {
    return ask(() =>
      this.#session.http.send({
        method: 'GET',
        url: `${baseUrl}/api/v1/address_templates`,
        purpose: 'try whether there is an address book',
        headers: { ...(this.#oauth.config.headers as Record<string, string> | undefined) },
      }),
    );
  }
}

/** Whether a token was issued. */
function isIssued(answer: Answer | NoAnswer): boolean {
  const token = isAnswer(answer) && answer.ok ? answer.at('/access_token') : undefined;
  return typeof token === 'string' && token !== '';
}

/**
 * Whether a request was refused because of the client's credentials: with 401, or with the error code that
 * RFC 6749 (5.2) has for that, under whatever status.
 */
function namesCredentials(answer: Answer): boolean {
  if (answer.status === 401) return true;
  const code = answer.at('/error');
  return answer.status >= 400 && answer.status < 500 && /^(invalid|unauthorized)_client$/.test(String(code));
}

function describeAnswer(answer: Answer | NoAnswer): string {
  if (!isAnswer(answer)) return `nothing (${answer.why})`;
  return answer.ok ? `${said(answer)} without an \`access_token\`` : said(answer);
}
