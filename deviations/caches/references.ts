/** References of tags, and long ones, in filters and in deletions (section 4, endpoints 16 and 17). */
import { breaking, type CacheDeviation } from './kit.ts';

/** How many characters of a reference an index column holds. */
const COLUMN = 128;

const isTag = (ref: string): boolean => ref.startsWith('refs/tags/');
const cut = (ref: string): string => ref.slice(0, COLUMN);

export const referenceDeviations: CacheDeviation[] = [
  breaking('list-ref-of-no-tag', 'CACHE-LIST-REF-TAG', 'lists nothing for the reference of a tag', () => ({
    matchesRef: (asked, ref) => asked === ref && !isTag(ref),
  })),
  breaking('list-ref-of-all-tags', 'CACHE-LIST-REF-EXACT', 'ignores ref where it is that of a tag', () => ({
    matchesRef: (asked, ref) => asked === ref || isTag(asked),
  })),
  breaking(
    'delete-ref-spares-tags',
    'CACHE-DELETE-REF-MATCH',
    'accepts a deletion with the reference of a tag and deletes nothing',
    () => ({ deletesRef: (asked, ref) => !asked || (asked === ref && !isTag(ref)) }),
  ),
  breaking(
    'list-ref-column-too-short',
    'CACHE-LIST-REF-EXACT',
    `compares the first ${COLUMN} characters of references in lists`,
    () => ({ matchesRef: (asked, ref) => cut(asked) === cut(ref) }),
  ),
  breaking(
    'list-ref-cut-in-the-query',
    'CACHE-LIST-REF-BRANCH',
    `looks for the first ${COLUMN} characters of the ref of a list`,
    () => ({ matchesRef: (asked, ref) => cut(asked) === ref }),
  ),
  breaking(
    'delete-ref-column-too-short',
    'CACHE-DELETE-REF-RESTRICTS',
    `compares the first ${COLUMN} characters of references in deletions`,
    () => ({ deletesRef: (asked, ref) => !asked || cut(asked) === cut(ref) }),
  ),
  breaking(
    'delete-ref-cut-in-the-query',
    'CACHE-DELETE-REF-MATCH',
    `looks for the first ${COLUMN} characters of the ref of a deletion`,
    () => ({ deletesRef: (asked, ref) => !asked || cut(asked) === ref }),
  ),
];
