/** Which registrations are under way, so that one can be sent while no other is. */
import { perSession } from '../../../lib/check/per-run.ts';
import type { Answer } from '../../../lib/http/answer.ts';

type Send = () => Promise<Answer>;

/** The registrations of one run; see the module comment. */
export class UnderWay {
  readonly #sent = new Set<Promise<unknown>>();
  #begun = 0;
  /** Ends when the last one that is to be sent alone has been answered. */
  #alone: Promise<unknown> = Promise.resolve();

  /** Returns the registrations of a run. */
  static readonly of = perSession(() => new UnderWay());

  /**
   * Sends a registration, as soon as none is being sent alone.
   * @returns the answer, and whether other registrations were under way at the same time
   */
  async send(send: Send): Promise<{ answer: Answer; isBeside: boolean }> {
    await this.#alone;
    const others = this.#sent.size;
    this.#begun += 1;
    const before = this.#begun;
    const answer = await this.#follow(send());
    return { answer, isBeside: others > 0 || this.#begun > before };
  }

  /** Sends a registration when all others have been answered; those that come meanwhile wait for it. */
  alone(send: Send): Promise<Answer> {
    const answer = this.#alone.then(async () => {
      await Promise.allSettled(this.#sent);
      return this.#follow(send());
    });
    this.#alone = answer.catch(() => {});
    return answer;
  }

  async #follow(sent: Promise<Answer>): Promise<Answer> {
    this.#sent.add(sent);
    return sent.finally(() => this.#sent.delete(sent));
  }
}
