import type { CheckContext } from '../../../lib/check/context.ts';
import { Blocked, Skipped } from '../../../lib/check/verdict.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { type AccessToken, credentials, type Encoding, OAuth, type Params } from './tokens.ts';

/**
 * Refresh tokens, where the target has any: handed out with token responses, or one from the
 * configuration. The specification shows no refresh token in a token response (section 2).
 */
export class RefreshTokens {
  readonly #context: CheckContext;
  readonly #oauth: OAuth;

  constructor(context: CheckContext) {
    this.#context = context;
    this.#oauth = new OAuth(context);
  }

  /** A refresh token that has not been used yet. Throws `Skipped` where there is none. */
  async take(): Promise<{ value: string; access: AccessToken | undefined }> {
    const access = await this.#oauth.issue();
    const handedOut = access.answer.at('/refresh_token');
    if (typeof handedOut === 'string' && handedOut !== '') return { value: handedOut, access };
    const chain = await this.#chain();
    if (chain.next === undefined) {
      throw new Skipped(
        `set \`targets.${this.#context.target.name}.shipping.refreshToken\`: token responses of this target carry no refresh token`,
      );
    }
    return { value: chain.next, access: undefined };
  }

  /**
   * A refresh token that the check is going to end. Throws `Skipped` where there is only the configured one,
   * which later checks and runs need.
   */
  async takeToEnd(): Promise<{ value: string; access: AccessToken | undefined }> {
    const token = await this.take();
    if (token.access === undefined) {
      throw new Skipped(
        'token responses of this target carry no refresh token, and the configured one is not ended',
      );
    }
    return token;
  }

  /** Exchanges a refresh token; keeps a new one that comes with the answer. */
  async exchange(
    value: string,
    params: Params = {},
    encoding: Encoding = 'form',
    purpose = 'exchange a refresh token',
  ): Promise<Answer> {
    const answer = await this.#oauth.post(
      'token',
      { grant_type: 'refresh_token', ...credentials(this.#oauth.client), refresh_token: value, ...params },
      encoding,
      purpose,
    );
    const next = answer.at('/refresh_token');
    const chain = await this.#chain();
    if (answer.ok && chain.next === value && typeof next === 'string') chain.next = next;
    return answer;
  }

  /** Throws `Blocked` unless a good refresh token is exchanged in this kind of body: the twin of every refused one. */
  async works(encoding: Encoding): Promise<void> {
    await this.#context.session.once(`shipping: refresh works as ${encoding}`, async () => {
      const answer = await this.exchange((await this.take()).value, {}, encoding);
      if (!answer.ok || typeof answer.at('/access_token') !== 'string') {
        const by = encoding === 'form' ? 'TOKEN-REFRESH-FORM' : 'TOKEN-REFRESH-JSON';
        throw new Blocked(`a good refresh token is answered with ${answer.status}`, by);
      }
    });
  }

  #chain(): Promise<{ next: string | undefined }> {
    return this.#context.session.once('shipping: configured refresh token', async () => ({
      next: this.#oauth.config.refreshToken,
    }));
  }
}
