/** The reference of the note service, wrong in one way or right in another. */
import { describeNotes } from '../reference/notes.js';

const DEVIATIONS = [
  {
    id: 'everything-answers-200',
    breaks: ['NOTE-CREATE-STATUS', 'NOTE-DELETE-STATUS'],
    sentence: 'answers creations and deletions with 200',
    rules: { createStatus: 200, deleteStatus: 200 },
  },
  {
    id: 'new-notes-shout',
    breaks: ['NOTE-CREATE-TEXT', 'NOTE-CREATE-NOT-DONE'],
    sentence: 'saves texts in capitals, and done',
    rules: { create: (id, text) => ({ id, text: text.toUpperCase(), done: true }) },
  },
  {
    id: 'list-is-empty',
    breaks: ['NOTE-LIST-HOLDS'],
    sentence: 'lists nothing',
    rules: { list: () => [] },
  },
  {
    id: 'unknown-notes-are-empty',
    breaks: ['NOTE-READ-UNKNOWN-404', 'NOTE-DELETE-GONE'],
    sentence: 'answers an unknown id with an empty note',
    rules: { unknown: () => Response.json({ id: '', text: '', done: false }) },
  },
  {
    id: 'door-stands-open',
    breaks: ['NOTE-AUTH-401'],
    entails: ['NOTE-AUTH-CHALLENGE'],
    sentence: 'accepts any token',
    rules: { mayCall: () => true },
  },
];

const VARIANTS = [
  {
    id: 'newest-first',
    fills: ['NOTE-LIST-ORDER'],
    sentence: 'lists the newest first',
    rules: { list: (notes) => notes.toReversed() },
  },
];

const TRIVIAL = [
  {
    id: '200-empty-object',
    sentence: 'answers everything with 200 {}',
    handle: () => async () => Response.json({}),
  },
];

const facts = (prefix, kind, { id, sentence, breaks = [], entails = [], fills = [] }) => ({
  id: `notes/${prefix}${id}`,
  service: 'notes',
  kind,
  origin: 'hand',
  sentence,
  breaks,
  entails,
  fills,
});

const made = (prefix, kind, each) => ({ ...each, facts: facts(prefix, kind, each) });

/** Every case by its id. */
export function allCases() {
  const reference = { id: 'reference', sentence: 'is the reference itself', rules: {} };
  const cases = [
    made('', 'reference', reference),
    ...DEVIATIONS.map((each) => made('', 'deviation', each)),
    ...VARIANTS.map((each) => made('variants/', 'variant', each)),
    ...TRIVIAL.map((each) => made('trivial/', 'trivial', each)),
  ];
  return new Map(cases.map((each) => [each.facts.id, each]));
}

export const describeProofTarget = async (url) => ({ description: describeNotes(url), params: {} });
