/**
 * Faults in the JSON type of the three fields other than the assertion: each has to be a certain string, and
 * none of these values is a string.
 */
import type { Reason } from '../judging/refusal.ts';
import { type Fault, more } from './fault.ts';

/** The codes that fit another `type` or `assertion_type`: the table of section 7 has no row for these. */
export const OTHER_METHOD: Reason = {
  codes: ['invalid_request', 'invalid_assertion', 'unsupported_credential_type'],
  unlisted: true,
};

const FIELDS: [field: string, id: string, reason: Reason][] = [
  ['type', 'AGENT-REQ-TYPE-NOT-TEXT', OTHER_METHOD],
  ['assertion_type', 'AGENT-REQ-ASSERTION-TYPE-NOT-TEXT', OTHER_METHOD],
  [
    'requested_credential_type',
    'AGENT-REQ-CREDENTIAL-TYPE-NOT-TEXT',
    // A value that is not a string is either another credential type or makes the request malformed.
    { codes: ['unsupported_credential_type', 'invalid_request'] },
  ],
];

/**
 * A service is unlikely to compare these two in another way than the third, of which a list is sent in every
 * run.
 */
const SHOWN_BY: Record<string, string[]> = {
  'AGENT-REQ-TYPE-NOT-TEXT': ['AGENT-REQ-ANONYMOUS', 'AGENT-REQ-CREDENTIAL-TYPE-NOT-TEXT'],
  'AGENT-REQ-ASSERTION-TYPE-NOT-TEXT': [
    'AGENT-REQ-ASSERTION-TYPE-OTHER',
    'AGENT-REQ-CREDENTIAL-TYPE-NOT-TEXT',
  ],
};

/**
 * Values that a loose comparison (`==`), a truthiness test or a conversion to a string may accept as the
 * right one.
 */
const VALUES: Record<string, [words: string, value: (right: unknown) => unknown]> = {
  list: ['in a list', (right) => [right]],
  nested: ['in a list of lists', (right) => [[right]]],
  true: ['true', () => true],
  number: ['a number', () => 1],
  object: ['in an object', (right) => ({ value: right })],
  null: ['null', () => null],
};

/** An empty string may count as a missing field, or as another value. */
const EMPTY: Reason = {
  codes: ['invalid_request', 'invalid_assertion', 'unsupported_credential_type'],
  unlisted: true,
};

/** Faults in which a field is empty, to catch a service that takes a default then. */
export const emptyFieldFaults: Fault[] = (
  [
    ['type', 'AGENT-REQ-TYPE-OTHER'],
    ['assertion_type', 'AGENT-REQ-ASSERTION-TYPE-OTHER'],
    ['requested_credential_type', 'AGENT-REQ-CREDENTIAL-OTHER'],
  ] as [field: string, id: string][]
).map(([field, id]) =>
  more(id, 'empty', {
    purpose: `register with an empty ${field}`,
    why: `\`${field}\` is empty`,
    reason: EMPTY,
    judgedBy: 'AGENT-ERR-FITTING',
    body: (faultBuilder) => faultBuilder.fields({ [field]: '' }),
  }),
);

export const jsonTypeFaults: Fault[] = FIELDS.flatMap(([field, id, reason]) =>
  Object.entries(VALUES).map(
    ([name, [words, value]]): Fault => ({
      id,
      ...(name !== 'list' && { case: name, sweep: true }),
      ...(name === 'list' && SHOWN_BY[id] && { shownBy: SHOWN_BY[id], likely: true as const }),
      purpose: `register with ${field} ${words}`,
      why: `\`${field}\` is no text`,
      reason,
      judgedBy: 'AGENT-ERR-FITTING',
      body: async (faultBuilder) => {
        const fields = await faultBuilder.goodFields();
        return { json: { ...fields, [field]: value(fields[field]) } };
      },
    }),
  ),
);
