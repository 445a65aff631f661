/**
 * Texts that are corrupted in an answer or by an update, and names of object properties that are accepted as
 * ids (4.2 to 4.6).
 */
import type { Address, AddressEndpoint, ShippingRules } from '../../reference/shipping/index.ts';
import { changeKind, withText } from '../kit/answers.ts';
import type { AnswerKind, Deviation } from '../types.ts';
import { fieldsOf } from './fields.ts';
import { COLLECTION, ITEM } from './paths.ts';
import { withAddress } from './templates.ts';
import { kept, updating } from './update-kit.ts';

/**
 * Counts Content-Length in characters instead of bytes, so that answers with non-ASCII letters are truncated.
 */
function cutting(kind: AnswerKind, breaks: string[], what: string): Deviation<ShippingRules> {
  return {
    id: `${kind.name}-length-in-characters`,
    breaks,
    entails: ['*'],
    sentence: `computes the Content-Length of ${what} in characters instead of bytes and truncates it`,
    wrap: changeKind(kind, async (response) => {
      const text = await response.text();
      const cut = Buffer.from(text).subarray(0, text.length).toString();
      return withText(response, cut, response.headers.get('content-type') ?? undefined);
    }),
  };
}

const OTHER_LETTERS = ['ADDR-CREATE-KEEPS-SPANISH', 'ADDR-CREATE-KEEPS-OTHER-SCRIPTS'];

const UNKNOWN: [endpoint: AddressEndpoint, breaks: string][] = [
  ['read', 'ADDR-READ-UNKNOWN-404'],
  ['update', 'ADDR-UPDATE-UNKNOWN-REFUSED'],
  ['delete', 'ADDR-DELETE-UNKNOWN-404'],
  ['verify', 'ADDR-VERIFY-UNKNOWN-REFUSED'],
];

/**
 * Keeps addresses in a plain object, so that its inherited properties are found as if they were addresses.
 */
const inherited: Deviation<ShippingRules>[] = UNKNOWN.map(([asked, breaks]) => ({
  id: `${asked}-inherited-name`,
  breaks: [breaks],
  sentence: `accepts the name of an inherited property, such as constructor, as the id of an address to ${asked}`,
  rules: (original) => ({
    findTemplate: (book, id, endpoint, env) => {
      const found = original.findTemplate(book, id, endpoint, env);
      if (found !== undefined || endpoint !== asked || !(id in {})) return found;
      const [any] = book.values();
      return any && { ...any, id };
    },
  }),
}));

/** Returns a text escaped for HTML. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns an address in which each text is changed. */
function withTexts(address: Address, change: (text: string, name: string) => string): Address {
  const texts = Object.entries(address).map(([name, value]) => [
    name,
    typeof value === 'string' ? change(value, name) : value,
  ]);
  return Object.fromEntries(texts) as Address;
}

/** Changes the texts of addresses in the answers of one operation. */
function answering(
  [id, breaks, sentence]: [id: string, breaks: string, sentence: string],
  asked: AddressEndpoint,
  change: (text: string) => string,
): Deviation<ShippingRules> {
  return {
    id,
    breaks: [breaks],
    sentence,
    rules: (original) => ({
      serialiseTemplate: (template, endpoint, env) => {
        if (endpoint !== asked) return original.serialiseTemplate(template, endpoint, env);
        const address = withTexts(template.address, change);
        return original.serialiseTemplate({ ...template, address }, endpoint, env);
      },
    }),
  };
}

/** Changes every text of an address that an update does not send. */
function changingOmitted(change: (text: string) => string) {
  return updating((next, _current, sent) => {
    const attributes = fieldsOf(sent.address_attributes);
    const alias_name = sent.alias_name === undefined ? change(next.alias_name) : next.alias_name;
    const address = withTexts(next.address, (text, name) =>
      attributes[name] === undefined ? change(text) : text,
    );
    return { ...next, alias_name, address };
  });
}

/** Truncates the longest text of an address in updates. */
function cuttingReference(id: string, length: number): Deviation<ShippingRules> {
  return {
    id,
    breaks: ['ADDR-UPDATE-SETS-REFERENCE'],
    sentence: `truncates texts in updates, but not in creates, to ${length} characters`,
    rules: updating((next) =>
      withAddress(next, { reference: next.address.reference?.slice(0, length) ?? null }),
    ),
  };
}

const FREE_TEXTS = ['alias_name', 'street1', 'company', 'area_level3', 'reference'].map(kept);

export const textAndNameDeviations: Deviation<ShippingRules>[] = [
  cutting({ name: 'read', method: 'GET', path: ITEM, status: 200 }, OTHER_LETTERS, 'a read'),
  cutting({ name: 'create', method: 'POST', path: COLLECTION, status: 201 }, OTHER_LETTERS, 'a create'),
  cutting(
    { name: 'update', method: 'PATCH', path: ITEM, status: 200 },
    ['ADDR-UPDATE-SETS-REFERENCE', 'ADDR-UPDATE-SETS-ALIAS-NAME'],
    'an update',
  ),
  ...inherited,
  answering(
    [
      'update-answer-escaped',
      'ADDR-UPDATE-ANSWER-CURRENT',
      'escapes texts for HTML in the answer to an update',
    ],
    'update',
    escaped,
  ),
  answering(
    [
      'verify-answer-escaped',
      'ADDR-VERIFY-ANSWER-CURRENT',
      'escapes texts for HTML in the answer to a verify',
    ],
    'verify',
    escaped,
  ),
  answering(
    ['list-cuts-texts', 'ADDR-LIST-ITEM-ADDRESS', 'shows the first 100 characters of each text in the list'],
    'list',
    (text) => text.slice(0, 100),
  ),
  {
    id: 'update-cuts-labels',
    breaks: ['ADDR-UPDATE-SETS-ALIAS-NAME'],
    sentence: 'truncates labels in updates, but not in creates, to 50 characters',
    rules: updating((next) => ({ ...next, alias_name: next.alias_name.slice(0, 50) })),
  },
  cuttingReference('update-cuts-texts', 60),
  cuttingReference('update-cuts-texts-at-191', 191),
  {
    id: 'update-escapes-what-it-omits',
    breaks: FREE_TEXTS,
    entails: ['ADDR-UPDATE-*'],
    sentence: 'escapes stored texts that an update does not send for HTML again',
    rules: changingOmitted(escaped),
  },
  {
    id: 'update-plain-letters-in-what-it-omits',
    breaks: FREE_TEXTS,
    entails: ['ADDR-UPDATE-*'],
    sentence: 'removes the accents from stored texts that an update does not send',
    rules: changingOmitted((text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  },
  {
    id: 'update-all-of-that-alias',
    breaks: ['ADDR-UPDATE-OTHERS-UNTOUCHED'],
    sentence: 'updates every address with the same alias_name',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        const before = book.get(template.id);
        original.replaceTemplate(book, template, env);
        if (before?.verifications !== template.verifications) return;
        for (const other of book.values()) {
          const isNamesake = other.id !== template.id && other.alias_name === before.alias_name;
          if (isNamesake) book.set(other.id, { ...template, id: other.id });
        }
      },
    }),
  },
];
