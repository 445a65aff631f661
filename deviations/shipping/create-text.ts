/** Texts that are returned differently from how they were sent (4.3). */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { keeps, rewriting, rewritingAll } from './create-kit.ts';
import { ATTRIBUTES, slug } from './fields.ts';

export const createTextDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'create-folds-accents',
    breaks: ['ADDR-CREATE-KEEPS-SPANISH'],
    entails: ATTRIBUTES.map(keeps),
    sentence: 'replaces letters with accents by plain ones',
    rules: rewritingAll((text) => text.normalize('NFD').replaceAll(/\p{Mark}/gu, '')),
  },
  {
    id: 'create-reads-latin1',
    breaks: ['ADDR-CREATE-KEEPS-SPANISH'],
    entails: [...ATTRIBUTES.map(keeps), 'ADDR-CREATE-KEEPS-OTHER-SCRIPTS'],
    sentence: 'decodes request bodies as Latin-1',
    rules: rewritingAll((text) => Buffer.from(text, 'utf8').toString('latin1')),
  },
  {
    id: 'create-loses-n-tilde',
    breaks: ['ADDR-CREATE-KEEPS-SPANISH'],
    entails: ATTRIBUTES.map(keeps),
    sentence: 'stores ñ as n',
    rules: rewritingAll((text) => text.replaceAll('ñ', 'n').replaceAll('Ñ', 'N')),
  },
  {
    id: 'create-escapes-html',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'escapes text for HTML before storing it',
    rules: rewritingAll((text) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ),
  },
  {
    id: 'create-strips-quotes',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'deletes quotes from text',
    rules: rewritingAll((text) => text.replaceAll(/['"]/g, '')),
  },
  {
    id: 'create-doubles-quotes',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'stores single quotes doubled, as SQL has them',
    rules: rewritingAll((text) => text.replaceAll("'", "''")),
  },
  {
    id: 'create-strips-tags',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'deletes what looks like an HTML tag from text',
    rules: rewritingAll((text) => text.replaceAll(/<[^>]*>/g, '')),
  },
  {
    id: 'create-decodes-percent',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'undoes percent-encoding in text',
    rules: rewritingAll((text) =>
      text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    ),
  },
  {
    id: 'create-strips-backslashes',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'deletes backslashes from text',
    rules: rewritingAll((text) => text.replaceAll('\\', '')),
  },
  {
    id: 'create-cuts-at-ampersand',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'truncates text at the first ampersand',
    rules: rewritingAll((text) => text.split('&')[0]!),
  },
  {
    id: 'create-three-byte-text',
    breaks: ['ADDR-CREATE-KEEPS-OTHER-SCRIPTS'],
    sentence: 'stores a question mark for every character above U+FFFF',
    rules: rewritingAll((text) => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?')),
  },
  {
    id: 'create-latin-only',
    breaks: ['ADDR-CREATE-KEEPS-OTHER-SCRIPTS'],
    sentence: 'stores question marks for letters that are not Latin',
    rules: rewritingAll((text) => text.replaceAll(/[^\p{Script=Latin}\p{Script=Common}]/gu, '?')),
  },
  {
    id: 'create-drops-emoji',
    breaks: ['ADDR-CREATE-KEEPS-OTHER-SCRIPTS'],
    sentence: 'deletes emoji from text',
    rules: rewritingAll((text) => text.replaceAll(/\p{Extended_Pictographic}/gu, '')),
  },
  ...[50, 100, 191, 255].map(
    (limit): Deviation<ShippingRules> => ({
      id: `create-cuts-at-${limit}`,
      breaks: ['ADDR-CREATE-KEEPS-LENGTH'],
      entails: ['ADDR-CREATE-KEEPS-*'],
      sentence: `silently truncates text to ${limit} characters`,
      rules: rewritingAll((text) => text.slice(0, limit)),
    }),
  ),
  {
    id: 'create-breaks-escaped-surrogates',
    breaks: ['ADDR-CREATE-KEEPS-OTHER-SCRIPTS'],
    sentence: 'decodes each half of an escaped character above the BMP on its own, which gives none',
    rules: (original) => ({
      parseJson: (text, endpoint) =>
        original.parseJson(text.replaceAll(/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g, '\\ufffd'), endpoint),
    }),
  },
  ...(['street_number', 'apartment_number'] as const).map(
    (field): Deviation<ShippingRules> => ({
      id: `create-${slug(field)}-as-number`,
      breaks: [keeps(field)],
      sentence: `stores a ${field} of digits alone as a number, without leading zeros`,
      rules: rewriting(field, (text) => text.replace(/^0+(?=\d+$)/, '')),
    }),
  ),
];
