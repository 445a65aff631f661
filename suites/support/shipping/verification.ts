/** Verification by carriers (3 and 4.6): which carriers there are, and waiting for what comes of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckContext } from '../../../lib/check/context.ts';
import { Blocked, Skipped, Undecided } from '../../../lib/check/verdict.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { AddressBook, type Made } from './addresses.ts';

/** An entry of `verified_carriers`, of which nothing is known yet. */
export type Entry = Record<string, unknown>;

/** The carriers that the run works with. */
export interface Carriers {
  names: string[];
  /** False where they are a guess that the target happened to take. */
  configured: boolean;
}

/** An address of which the outcome of a verification has come. */
export interface Verified {
  made: Made;
  carrier: string;
  /** The entries before the verification. */
  before: Entry[];
  /** The answer to the verify. */
  answer: Answer;
  /** The read that showed the outcome first. */
  outcome: Answer;
  /** How long it took, in milliseconds of the target's time. */
  tookMs: number;
}

const GUESS = ['fedex', 'dhl', 'estafeta'];
/** Longest wait for an outcome where time costs nothing. */
const PATIENCE_MS = 3_600_000;
/** Real time that is waited where the clock can be moved, for a service that verifies by another clock. */
const REAL_PATIENCE_MS = 3_000;

/** Starts verifications and waits for them. */
export class Verification {
  readonly #context: CheckContext;
  readonly #book: AddressBook;

  constructor(context: CheckContext) {
    this.#context = context;
    this.#book = new AddressBook(context);
  }

  /**
   * The carriers to ask: those of the configuration, or those of a guess that the target takes. Throws
   * `Skipped` when it takes none of the guess, since their names are not in the specification.
   */
  carriers(): Promise<Carriers> {
    const { session, target } = this.#context;
    return session.once('shipping: carriers', async () => {
      const configured = target.shipping?.carriers as string[] | undefined;
      if (configured) return { names: configured, configured: true };
      const { id } = await this.#book.create({}, 'create an address to verify');
      if ((await this.#book.verify(id, { carriers: GUESS }, 'verify by some carriers')).ok)
        return { names: GUESS, configured: false };
      const names: string[] = [];
      for (const name of GUESS) {
        if ((await this.#book.verify(id, { carriers: [name] }, `verify by ${name}`)).ok) names.push(name);
      }
      if (names.length > 0) return { names, configured: false };
      throw new Skipped(
        `set \`targets.${target.name}.shipping.carriers\`: carrier names are not specified, and ${GUESS.join(', ')} were refused`,
      );
    });
  }

  /** The first of the carriers. */
  async carrier(): Promise<string> {
    return (await this.carriers()).names[0]!;
  }

  /** At least two carriers. Throws `Skipped` where only one is known. */
  async severalCarriers(): Promise<string[]> {
    const { names } = await this.carriers();
    if (names.length > 1) return names;
    throw new Skipped(`set \`targets.${this.#context.target.name}.shipping.carriers\` to several carriers`);
  }

  /** Asks for a verification that has to be accepted. Throws `Blocked` when it is not. */
  async started(id: string, carriers: string[], extra: Record<string, unknown> = {}): Promise<Answer> {
    const answer = await this.#book.verify(id, { ...extra, carriers }, `verify by ${carriers.join(', ')}`);
    if (!answer.ok)
      throw new Blocked(`a valid verify was answered with ${answer.status}`, 'ADDR-VERIFY-STATUS');
    return answer;
  }

  /** The answer to a valid verify by one carrier, whatever it is, and the address that it was about. */
  first(): Promise<{ id: string; answer: Answer }> {
    return this.#context.session.once('shipping: verify', async () => {
      const carrier = await this.carrier();
      const made = await this.#book.create({}, 'create an address to verify');
      const answer = await this.#book.verify(made.id, { carriers: [carrier] });
      // What is refused has to have been there.
      if (!answer.ok) await this.#book.isThere(made);
      return { id: made.id, answer };
    });
  }

  /** The same, where it was accepted. Throws `Blocked` when it was not. */
  async accepted(): Promise<{ id: string; answer: Answer }> {
    const first = await this.first();
    if (first.answer.ok) return first;
    throw new Blocked(`a valid verify was answered with ${first.answer.status}`, 'ADDR-VERIFY-STATUS');
  }

  /** The entries that a read shows. Throws `Blocked` when they are not a list. */
  async entries(
    id: string,
    purpose = 'read the verified carriers',
  ): Promise<{ answer: Answer; entries: Entry[] }> {
    const { answer } = await this.#book.stored(id, purpose);
    const entries = answer.at('/data/verified_carriers');
    if (!Array.isArray(entries))
      throw new Blocked('`verified_carriers` is not a list', 'ADDR-TEMPLATE-VERIFIED-CARRIERS');
    return { answer, entries: entries.filter((e): e is Entry => e !== null && typeof e === 'object') };
  }

  /**
   * Reads the address again and again until `done` says that enough is there. Gives the last read, how long it
   * took, and whether it was enough.
   *
   * @param limitMs longest wait in the target's time; the user's limit holds where that is real time
   * @param realMs real time that is waited on top of it where the clock can be moved
   */
  async wait(
    id: string,
    done: (entries: Entry[]) => boolean,
    limitMs = PATIENCE_MS,
    realMs = REAL_PATIENCE_MS,
  ): Promise<Waited> {
    const { time, session } = this.#context;
    const started = time.elapsed();
    const limit = time.pollLimit(limitMs);
    const realUntil = performance.now() + Math.min(realMs, session.options.maxWaitMs);
    let stepMs = 250;
    let last = await this.entries(id, 'read the outcome');
    while (!done(last.entries)) {
      const left = limit - (time.elapsed() - started);
      if (left > 0) {
        await time.wait(Math.min(stepMs, left));
        stepMs = Math.min(stepMs * 2, time.movable ? PATIENCE_MS : 2_000);
      } else if (time.movable && performance.now() < realUntil) {
        await sleep(100);
      } else {
        return { ...last, complete: false, tookMs: time.elapsed() - started };
      }
      last = await this.entries(id, 'read the outcome');
    }
    return { ...last, complete: true, tookMs: time.elapsed() - started };
  }

  /** How long `settle` waits in real time: longer than an outcome took, where one is known. */
  #pause(): Promise<{ ms: number }> {
    return this.#context.session.once('shipping: pause for verifications', async () => ({ ms: 2_000 }));
  }

  /** Lets some time pass in which a verification that was started may go on, without knowing when it ends. */
  async settle(): Promise<void> {
    const { time } = this.#context;
    const { ms } = await this.#pause();
    await time.wait(time.movable ? 60_000 : time.pollLimit(ms));
  }

  /**
   * An address that was verified by one carrier, and whose outcome has come. Made once in a run. Throws
   * `Undecided` when nothing came in time.
   */
  verified(): Promise<Verified> {
    return this.#context.session.once('shipping: verified address', async () => {
      const carrier = await this.carrier();
      const made = await this.#book.create({}, 'create an address to verify');
      const before = (await this.entries(made.id)).entries;
      const answer = await this.started(made.id, [carrier]);
      const waited = await this.wait(made.id, (entries) => hasOutcome(entries, carrier, before));
      if (!waited.complete) {
        throw new NoOutcome(noOutcome([carrier], waited), { id: made.id, carrier, before, answer, waited });
      }
      (await this.#pause()).ms = Math.min(3_000, 500 + 2 * waited.tookMs);
      return { made, carrier, before, answer, outcome: waited.answer, tookMs: waited.tookMs };
    });
  }
}

/** The end of a wait. */
export interface Waited {
  answer: Answer;
  entries: Entry[];
  complete: boolean;
  tookMs: number;
}

/** No outcome came in time, with what came instead. */
export class NoOutcome extends Undecided {
  readonly seen: { id: string; carrier: string; before: Entry[]; answer: Answer; waited: Waited };

  constructor(reason: string, seen: NoOutcome['seen']) {
    super(reason);
    this.seen = seen;
  }
}

/** Why nothing can be said, for a wait that ended without an outcome. */
export function noOutcome(carriers: string[], { tookMs }: Waited): string {
  const seconds = Math.round(tookMs / 1000);
  return `no outcome by ${carriers.join(', ')} appeared within ${seconds} s; allow a longer wait with --max-wait`;
}

/** The entries of a carrier; its name may be written in another letter case, or longer than it was asked. */
export function entriesOf(entries: Entry[], carrier: string): Entry[] {
  const wanted = canonical(carrier);
  return entries.filter((entry) => {
    const name = canonical(entry.carrier_name);
    return name !== '' && (name.startsWith(wanted) || wanted.startsWith(name));
  });
}

/** True when a carrier has an entry that was not there before, or is no longer what it was. */
export function hasOutcome(entries: Entry[], carrier: string, before: Entry[]): boolean {
  return changedEntries(entriesOf(entries, carrier), before).length > 0;
}

/** The entries that were not there before as they are. */
export function changedEntries(entries: Entry[], before: Entry[]): Entry[] {
  const known = new Set(before.map(textOf));
  return entries.filter((entry) => !known.has(textOf(entry)));
}

/**
 * The entries of a list of verified carriers. Throws `Blocked` where one lacks a property or has it in a wrong
 * type: another requirement says so.
 */
export function properEntries(entries: unknown): Entry[] {
  if (!Array.isArray(entries))
    throw new Blocked('`verified_carriers` is not a list', 'ADDR-TEMPLATE-VERIFIED-CARRIERS');
  for (const entry of entries as (Entry | null)[]) {
    if (typeof entry?.carrier_name !== 'string')
      throw new Blocked('an entry has no text as `carrier_name`', 'ADDR-CARRIER-NAME');
    if (typeof entry.status !== 'string')
      throw new Blocked('an entry has no text as `status`', 'ADDR-CARRIER-STATUS');
    if (entry.verification_id !== null && typeof entry.verification_id !== 'string') {
      throw new Blocked(
        '`verification_id` of an entry is neither text nor null',
        'ADDR-CARRIER-VERIFICATION-ID',
      );
    }
  }
  return entries as Entry[];
}

/** The entries in an order of their own, so that lists can be compared that are ordered otherwise. */
export function sortedEntries(entries: unknown): unknown {
  if (!Array.isArray(entries)) return entries;
  return entries.map(textOf).sort();
}

/** An entry as text that does not depend on the order of its properties. */
function textOf(entry: unknown): string {
  const keys = entry !== null && typeof entry === 'object' ? Object.keys(entry).sort() : undefined;
  return JSON.stringify(entry, keys);
}

function canonical(name: unknown): string {
  return typeof name === 'string' ? name.toLowerCase().replaceAll(/[^a-z0-9]/g, '') : '';
}
