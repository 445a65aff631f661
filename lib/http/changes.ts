/** Which request last changed what a read shows. */
import type { Exchange } from '../model/results.ts';
import type { Answer } from './answer.ts';

const READS = ['GET', 'HEAD', 'OPTIONS'];
const NO_OPERATION = [404, 405, 501];

/**
 * The last request that was sent to change each resource, whatever it was answered: a refused PATCH may have changed
 * something all the same. A resource is its path; a POST to something directly below it is a change of it.
 */
export class Changes {
  readonly #last = new Map<string, Exchange>();

  /** Notes an answer: remembers it as a change, or says of a read which change came before it. */
  note(answer: Answer): Answer {
    const { method, url } = answer.exchange.request;
    const path = pathOf(url);
    if (READS.includes(method)) return answer.after(this.#last.get(path));
    // There is no such operation: whatever the next read shows, it was not this that did it.
    if (method === 'POST' && NO_OPERATION.includes(answer.status)) return answer;
    this.#last.set(method === 'POST' ? path.slice(0, path.lastIndexOf('/')) : path, answer.exchange);
    return answer;
  }
}

function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0]!.replace(/\/$/, '');
}
