/** Keeps track of which request last changed what a read shows, so that a failure can name it. */
import type { Exchange } from '../model/results.ts';
import type { Answer } from './answer.ts';

const READS = ['GET', 'HEAD', 'OPTIONS'];
const NO_OPERATION = [404, 405, 501];

/**
 * The last request that was sent to change each resource, whatever its answer: a server may carry out a PATCH
 * in part and refuse it all the same. A resource is known by its path. A POST counts as a change of what is
 * directly above its path: of `/things/1` for `/things/1/verify`.
 */
export class Changes {
  readonly #last = new Map<string, Exchange>();

  /** Records an answer. A read gets the last change of what it reads as its cause; any other is a change. */
  note(answer: Answer): Answer {
    const { method, url } = answer.exchange.request;
    const path = pathOf(url);
    if (READS.includes(method)) return answer.after(this.#last.get(path));
    // The server has no such operation, so this request did not cause what the next read shows.
    if (method === 'POST' && NO_OPERATION.includes(answer.status)) return answer;
    this.#last.set(method === 'POST' ? path.slice(0, path.lastIndexOf('/')) : path, answer.exchange);
    return answer;
  }
}

function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0]!.replace(/\/$/, '');
}
