/**
 * Tries whether the public repository is public, the private one private, and whether the token of an account
 * that may only read can read. One endpoint that answers otherwise shows a fault of the target; where everything
 * that is tried does, the setting is as likely to be wrong.
 */
import {
  isAnswer,
  type PreflightFinding,
  refused,
  said,
  unclear,
} from '../../../lib/check/preflight/finding.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Auth } from '../api/client.ts';
import type { Place } from '../api/places.ts';
import { rowOf, scopesLack } from '../judging/access-table.ts';
import type { ReadOnce } from './read-once.ts';

/** The most tokens without access of their own that are asked for the public repository. */
const MOST_OTHERS = 3;

/** Returns a finding for each repository, and the token, whose access is another than the configuration says. */
export async function triedVisibility(reads: ReadOnce): Promise<PreflightFinding[]> {
  const tried = new Visibility(reads);
  const mixedUp = await tried.mixedUp();
  if (mixedUp) return [mixedUp];
  const found = [
    await tried.publicRepository(),
    await tried.privateRepository(),
    await tried.reader(),
    await tried.stranger(),
  ];
  return found.filter((each) => each !== undefined);
}

class Visibility {
  readonly #reads: ReadOnce;

  constructor(reads: ReadOnce) {
    this.#reads = reads;
  }

  /**
   * Finds that a call without a token is refused for the public repository and served for the private one.
   * Either alone may be a fault of the target, but together they mean that the two names were swapped.
   */
  async mixedUp(): Promise<PreflightFinding | undefined> {
    const { publicRepository, privateRepository } = this.#reads.config;
    if (publicRepository === undefined || privateRepository === undefined) return undefined;
    const open = await this.#list(this.#reads.places.need('publicRepository'), 'none');
    if (!open || !isRefusal(open)) return undefined;
    const closed = await this.#list(this.#reads.places.need('privateRepository'), 'none');
    if (!closed?.ok) return undefined;
    return refused(
      ['caches.publicRepository', 'caches.privateRepository'],
      `\`caches.publicRepository\` and \`caches.privateRepository\` seem to be mixed up: without a token the first is answered ${said(open)}, and the second ${said(closed)}`,
    );
  }

  /** Finds that nobody reads the public repository: neither calls without a token nor tokens without access of their own. */
  async publicRepository(): Promise<PreflightFinding | undefined> {
    const { publicRepository } = this.#reads.config;
    const { strangerToken, tokens = [] } = this.#reads.whole;
    if (publicRepository === undefined) return undefined;
    const place = this.#reads.places.need('publicRepository');
    const answer = await this.#list(place, 'none');
    if (!answer || !isRefusal(answer) || !(await this.#isUsageRefused(place, 'none'))) return undefined;
    const without = tokens.flatMap(({ token, scopes }) =>
      scopes && scopesLack(scopes, rowOf('USAGE')) ? [token] : [],
    );
    const others = [...(strangerToken === undefined ? [] : [strangerToken]), ...without].slice(
      0,
      MOST_OTHERS,
    );
    const keys = ['caches.publicRepository'];
    const message = `\`caches.publicRepository\` ${publicRepository}: list and usage are refused without a token (${said(answer)})`;
    if (others.length === 0) return unclear(keys, `${message}: look whether it is public`);
    for (const token of others) if (!(await this.#isUsageRefused(place, { token }))) return undefined;
    return unclear(
      keys,
      `${message}, and to tokens that have no access to private ones: look whether it is public`,
    );
  }

  /** Finds that everybody reads the private repository, although its limits are guarded. */
  async privateRepository(): Promise<PreflightFinding | undefined> {
    const { privateRepository } = this.#reads.config;
    const { strangerToken } = this.#reads.whole;
    if (privateRepository === undefined) return undefined;
    const place = this.#reads.places.need('privateRepository');
    if (!(await this.#isServed(place, 'none'))) return undefined;
    const limit = await this.#reads.limit(place, 'retention', 'none');
    if (!isAnswer(limit) || !isRefusal(limit)) return undefined;
    const keys = ['caches.privateRepository'];
    const message = `\`caches.privateRepository\` ${privateRepository}: list and usage are served without a token`;
    if (strangerToken === undefined) return unclear(keys, `${message}: look whether it is private`);
    if (!(await this.#isServed(place, { token: strangerToken }))) return undefined;
    return unclear(keys, `${message}, and to \`caches.strangerToken\`: look whether it is private`);
  }

  /** Finds that the token of an account that may only read reads nothing. */
  async reader(): Promise<PreflightFinding | undefined> {
    const place = this.#reads.places.find('privateRepository');
    const token = this.#reads.config.readerToken;
    if (token === undefined || !place) return undefined;
    const answer = await this.#list(place, { token });
    if (!answer || !isRefusal(answer) || !(await this.#isUsageRefused(place, { token }))) return undefined;
    if (!(await this.#isServed(place, 'full'))) return undefined;
    return unclear(
      ['caches.readerToken'],
      `\`caches.readerToken\` is refused list and usage of ${place.names.join('/')} (${said(answer)}): look whether its account may read that repository`,
    );
  }

  /** Finds that the token of an account without access reads the private repository, which calls without a token do not. */
  async stranger(): Promise<PreflightFinding | undefined> {
    const place = this.#reads.places.find('privateRepository');
    const token = this.#reads.config.strangerToken;
    if (token === undefined || !place) return undefined;
    if (!(await this.#isServed(place, { token })) || (await this.#isServed(place, 'none'))) return undefined;
    return {
      outcome: 'doubtful',
      keys: ['caches.strangerToken'],
      message: `\`caches.strangerToken\` is served list and usage of ${place.names.join('/')}: either the target shows a private repository to everybody who has a token, or this account may read it`,
    };
  }

  async #isServed(place: Place, auth: Auth): Promise<boolean> {
    if (!(await this.#list(place, auth))?.ok) return false;
    const usage = await this.#reads.repositoryUsage(place, auth);
    return isAnswer(usage) && usage.ok;
  }

  async #isUsageRefused(place: Place, auth: Auth): Promise<boolean> {
    const answer = await this.#reads.repositoryUsage(place, auth);
    return isAnswer(answer) && isRefusal(answer);
  }

  async #list(place: Place, auth: Auth): Promise<Answer | undefined> {
    const answer = await this.#reads.list(place, auth);
    return isAnswer(answer) ? answer : undefined;
  }
}

function isRefusal({ status }: Answer): boolean {
  return [401, 403, 404].includes(status);
}
