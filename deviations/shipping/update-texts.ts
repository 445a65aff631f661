/** Texts that an update alters, though a create keeps them (4.4). */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { type Attribute, fieldsOf } from './fields.ts';
import { withAddress } from './templates.ts';
import { sets, updating } from './update-kit.ts';

/** Saves the texts that an update sends for these fields changed. */
const rewritingSent = (
  fields: readonly Attribute[],
  change: (text: string, before: string | null) => string | null,
) =>
  updating((next, current, sent) => {
    const attributes = fieldsOf(sent.address_attributes);
    const texts = fields.flatMap((field) => {
      const text = attributes[field];
      return typeof text === 'string' ? [[field, change(text, current.address[field])]] : [];
    });
    return withAddress(next, Object.fromEntries(texts));
  });

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

const TEXTS: readonly Attribute[] = ['company', 'street1', 'reference'];
const NAMES: readonly Attribute[] = ['name', ...TEXTS];
const NUMBERS: readonly Attribute[] = ['street_number', 'apartment_number'];

const ALTERED: [
  id: string,
  sentence: string,
  fields: readonly Attribute[],
  change: (text: string, before: string | null) => string | null,
][] = [
  [
    'plain-letters',
    'drops the accents from texts that an update sends',
    ['name', 'company', 'street1'],
    plain,
  ],
  [
    'plain-places',
    'drops the accents from the names of places that an update sends',
    ['area_level1', 'area_level2'],
    plain,
  ],
  [
    'no-tags',
    'deletes what looks like a tag from texts that an update sends',
    TEXTS,
    (text) => text.replaceAll(/<[^>]*>/g, ''),
  ],
  [
    'double-quotes',
    'doubles single quotes in updates, as SQL has them',
    NAMES,
    (text) => text.replaceAll("'", "''"),
  ],
  [
    'no-backslashes',
    'deletes backslashes from texts that an update sends',
    TEXTS,
    (text) => text.replaceAll('\\', ''),
  ],
  [
    'decoded-percents',
    'undoes percent-encoding in texts that an update sends',
    TEXTS,
    (text) =>
      text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
  ],
  [
    'three-byte-text',
    'stores a question mark in updates for every character above U+FFFF',
    NAMES,
    (text) => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?'),
  ],
  [
    'latin-letters',
    'stores question marks in updates for letters that are not Latin',
    NAMES,
    (text) => text.replaceAll(/[^\p{Script=Latin}\p{Script=Common}]/gu, '?'),
  ],
  [
    'cut-at-60',
    'truncates names and streets in updates to 60 characters',
    ['name', 'company', 'street1'],
    (text) => text.slice(0, 60),
  ],
  ['cut-at-255', 'truncates texts in updates to 255 characters', TEXTS, (text) => text.slice(0, 255)],
  [
    'house-as-number',
    'saves numbers of houses in updates without leading zeros',
    ['street_number'],
    (text) => text.replace(/^0+(?=\d+$)/, ''),
  ],
  [
    'house-digits-alone',
    'saves only the digits of the numbers of houses and flats in updates',
    NUMBERS,
    (text) => /^\d+/.exec(text)?.[0] ?? null,
  ],
  [
    'zero-not-sent',
    'takes the number 0 of a flat in an update for one that was not sent',
    ['apartment_number'],
    (text, before) => (text === '0' ? before : text),
  ],
];

export const updateTextDeviations: Deviation<ShippingRules>[] = ALTERED.map(
  ([id, sentence, fields, change]) => ({
    id: `update-with-${id}`,
    breaks: fields.map(sets),
    entails: ['ADDR-UPDATE-SETS-*'],
    sentence,
    rules: rewritingSent(fields, change),
  }),
);
