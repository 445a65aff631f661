/**
 * Updates to learn from (4.4): each patches some fields of an address that was read just before, and reads it
 * again. They are done once in a run; the checks of what changed and of what stayed look at the same ones.
 */
import type { CheckContext } from '../../../lib/check/context.ts';
import { Blocked } from '../../../lib/check/verdict.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { AddressTemplate } from '../../../schemas/shipping/index.ts';
import { AddressBook } from './addresses.ts';
import { ATTRIBUTE_FIELDS, type AttributeField, type NewAddress, otherAttribute } from './data.ts';
import {
  FIELDS,
  type Field,
  type FieldName,
  fieldNamed,
  fits,
  templateOf,
  type Values,
  valueIn,
} from './fields.ts';
import { fixedValue, SecondValues } from './second-values.ts';
import { type Start, UpdateSubjects } from './update-subjects.ts';

/** One update, before and after. */
export interface Update {
  id: string;
  /** What was sent. */
  changes: Values;
  /** The address as it was before the first update of it. */
  first: AddressTemplate;
  /** A read before. */
  before: AddressTemplate;
  /** The answer to the PATCH. */
  answer: Answer;
  /** A read after; only where the PATCH was accepted. */
  after?: { answer: Answer; data: AddressTemplate };
}

/** Single fields that are also set on a sparse address: nullable ones, and one of each other kind. */
export const SPARSE_SINGLES: readonly FieldName[] = [
  'alias_name',
  'default',
  'name',
  'company',
  'area_level3',
  'rfc',
];

/** An update that begins with one of these is made to the default address, so that a flag that is lost shows. */
const DEFAULT_STARTS: readonly FieldName[] = ['alias_name', 'name', 'company', 'street1'];
/** Fields of which the specification shows a single value. */
const LIMITED: readonly FieldName[] = ['address_type', 'country_code'];

/** The updates of a run. */
export class Updates {
  readonly #context: CheckContext;
  readonly #book: AddressBook;
  readonly #subjects: UpdateSubjects;

  constructor(context: CheckContext) {
    this.#context = context;
    this.#book = new AddressBook(context);
    this.#subjects = new UpdateSubjects(context);
  }

  /** The update of one field alone. */
  single(name: FieldName, start: Start = 'full'): Promise<Update> {
    return this.#once(`${start} ${name}`, start, [name]);
  }

  /** Updates of several fields at once: outer and nested ones together, all nested ones, and seeded choices. */
  async *combined(): AsyncGenerator<Update> {
    const seed = this.#context.session.options.seed;
    const outer: FieldName[] = ['alias_name', 'default'];
    const nested = ATTRIBUTE_FIELDS.filter((f) => f !== 'country_code');
    const choices: FieldName[][] = [
      ['alias_name', 'name', 'company'],
      [...nested],
      [...outer],
      ...[0, 1, 2].map((n) => [
        outer[n % 2]!,
        ...[0, 1, 2].map((i) => nested[(seed + 5 * n + 4 * i) % nested.length]!),
      ]),
    ];
    for (const names of choices) yield await this.#once(`full ${names.join(' ')}`, 'full', names);
  }

  /** Every update of one field alone, from both starts. One after the other, since some touch the default. */
  async *singles(): AsyncGenerator<Update> {
    for (const { name } of FIELDS) yield await this.single(name);
    for (const name of SPARSE_SINGLES) yield await this.single(name, 'sparse');
  }

  /** All of them. */
  async *all(): AsyncGenerator<Update> {
    yield* this.singles();
    yield* this.combined();
  }

  /** The update of one field, taken from the whole address: where alone it is refused, this tells why. */
  complete(changed: FieldName): Promise<Update> {
    const names = FIELDS.map(({ name }) => name);
    return this.#once(`complete ${changed}`, 'full', names, [changed]);
  }

  /** The fields that a PATCH which does not send them changes all the same; looked for in all single updates. */
  async unkept(): Promise<Set<FieldName>> {
    const unkept = new Set<FieldName>();
    for await (const update of this.singles()) {
      const { changes, before, after } = update;
      for (const field of FIELDS) {
        if (!after || field.name in changes || fellBack(update, field)) continue;
        if (valueIn(before, field) !== valueIn(after.data, field)) unkept.add(field.name);
      }
    }
    return unkept;
  }

  /** Whether the update of this field alone was accepted and took effect. */
  async works(name: FieldName): Promise<boolean> {
    const { changes, after } = await this.single(name);
    return after !== undefined && valueIn(after.data, fieldNamed(name)) === changes[name];
  }

  /** What a create sends for an address to begin with. */
  toSend(start: Start, isDefault = false): NewAddress {
    return this.#subjects.toSend(start, isDefault);
  }

  /** A new address to update, as it reads before. `isDefault` is left out where the target refuses it. */
  start(start: Start, isDefault = false): Promise<{ id: string; data: AddressTemplate }> {
    return this.#subjects.start(start, isDefault);
  }

  /**
   * New values for fields, different from those in `data` as far as the target is known to take another one.
   *
   * @param names the fields to be in the result
   * @param changed the fields that get a new value; by default all of them
   */
  async values(
    data: AddressTemplate,
    names: readonly FieldName[],
    changed: readonly FieldName[] = names,
  ): Promise<Values> {
    const { faker } = this.#context;
    const nth = this.#book.nth();
    const second = new SecondValues(this.#context);
    const values: Values = {};
    for (const name of names) {
      const field = fieldNamed(name);
      const current = fits(field, valueIn(data, field)) ? valueIn(data, field) : undefined;
      const fixed = fixedValue(name);
      if (!changed.includes(name) && current !== undefined && fixed === undefined) values[name] = current;
      else if (name === 'alias_name') values[name] = `Conformance ${nth}`;
      else if (name === 'default') values[name] = current !== true;
      else if (name === 'address_type' || name === 'country_code') {
        // Asked only where it is the matter: other values are a silence.
        const other = names.length === 1 && changed.includes(name) ? await second.of(name) : undefined;
        values[name] = other ?? fixed;
      } else values[name] = otherAttribute(faker, name as AttributeField, nth, current);
    }
    return values;
  }

  /** Makes something once for all checks of updates. */
  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    return this.#context.session.once(`shipping: update ${key}`, make);
  }

  #once(
    key: string,
    start: Start,
    names: readonly FieldName[],
    changed?: readonly FieldName[],
  ): Promise<Update> {
    return this.once(key, async () => {
      const isDefault = start === 'full' && DEFAULT_STARTS.includes(names[0]!) && !names.includes('default');
      // Where anything fails in between, the next update begins with another address.
      const { key: kind, id, first, data: before } = await this.#subjects.next(start, isDefault);
      const what = names.length > 3 ? `${names.length} fields` : names.join(', ');
      let changes = await this.values(before, names, changed);
      let answer = await this.#book.update(id, templateOf(changes), {}, `update ${what}`);
      if (!answer.ok && names.length === 1 && LIMITED.includes(names[0]!)) {
        changes = await this.values(before, names, []);
        answer = await this.#book.update(id, templateOf(changes), {}, `update ${what} to the value it has`);
      }
      const done: Update = { id, changes, first, before, answer };
      if (!answer.ok) return done;
      done.after = await this.#book.stored(id, `read after the update of ${what}`);
      this.#subjects.keep(kind, { id, first, data: done.after.data });
      return done;
    });
  }
}

/** Whether a field has what it had before an earlier update set it: what comes of updates in a row and not of one. */
export function fellBack({ first, before, after }: Update, field: Field): boolean {
  const original = valueIn(first, field);
  return (
    after !== undefined && valueIn(before, field) !== original && valueIn(after.data, field) === original
  );
}

/** The answer of an update that has to have been accepted. Throws `Blocked` when it was not. */
export function accepted(update: Update): Update & Required<Pick<Update, 'after'>> {
  if (update.after) return update as Update & Required<Pick<Update, 'after'>>;
  throw new Blocked(
    `${update.answer.exchange.purpose}: a valid PATCH was answered with ${update.answer.status}`,
    'ADDR-UPDATE-STATUS',
  );
}
