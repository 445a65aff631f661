/** Section 5: values that resemble a valid token are refused. */
import { inOtherCase } from '../../services/caches/api/places.ts';
import { type Operation, rowOf } from '../../services/caches/judging/access-table.ts';
import { PERMISSION_IDS, type RowCode } from '../../services/caches/requirement-ids/permissions.ts';
import { check } from './suite.ts';

/** Returns values that resemble a token: half of it, one letter more or less, the other letter case. */
function similar(token: string): [label: string, token: string][] {
  const half = token.slice(0, Math.floor(token.length / 2));
  // The case of hexadecimal digits has no meaning, so that another one may be the same token.
  const turned = /^[\da-f-]+$/i.test(token) ? undefined : inOtherCase(token);
  return [
    ['the first half of the token', half],
    ['the token without its last letter', token.slice(0, -1)],
    ['the token with one more letter', `${token}x`],
    ['the token with a letter before it', `x${token}`],
    ...(turned === undefined ? [] : [['the token in other case', turned] as [string, string]]),
  ];
}

const isRead = ({ does }: Operation): boolean => does !== 'set' && !does.startsWith('delete');

/** The rows of the table of section 5 that have reading operations. */
const READING: RowCode[] = [
  'ENT-GET',
  'ORG-GET',
  'ORG-USAGE',
  'REPO-RETENTION-GET',
  'REPO-STORAGE-GET',
  'USAGE',
  'LIST',
];

for (const code of READING) {
  const reads = rowOf(code).operations.filter(isRead);
  check(PERMISSION_IDS[code].invalid, { case: 'half' }, async ({ access, api, expect, skip }) => {
    const { token } = api.config;
    if (token.length < 8) return skip('the token is too short to be cut');
    for (const [i, operation] of reads.entries()) {
      const who = similar(token).map(([label, text]) => ({ label, auth: { token: text }, valid: false }));
      // Servers look up tokens in the same way for all operations of a row, so only the first is tried with
      // all values.
      const { attempts } = await access.attempt(operation, i === 0 ? who : who.slice(0, 1));
      for (const { label, answer } of attempts)
        expect.refused(answer, `${operation.name} was asked for with ${label}`);
    }
  });
}
