/** Permissions that are required of one form of a request and forgotten for another (section 5). */
import { defaultNames } from '../../reference/caches/index.ts';
import type { CacheDeviation } from './kit.ts';
import { asking } from './permissions-kit.ts';

const hasRef = (query: URLSearchParams): boolean => query.has('ref');

/** Whether a list is asked for with `ref` and with no other filter. */
const hasOnlyRef = (query: URLSearchParams): boolean => hasRef(query) && !query.has('key');

const publicPath = `/repos/${defaultNames.publicRepository}/`.toLowerCase();
const isPublicWithRef = (query: URLSearchParams, path: string): boolean =>
  hasRef(query) && path.toLowerCase().includes(publicPath);

const FULL = 'classic-full';
const READ = 'fine-only-repository-actions-read';
/** Serves requests with one token as if they had the one that may do everything. */
const insteadOf =
  (given: string) =>
  (token = ''): string =>
    token === given ? FULL : token;

const lists: CacheDeviation[] = [
  {
    id: 'list-of-a-reference-without-a-token',
    breaks: ['CACHE-AUTH-LIST-MISSING'],
    // An empty bearer token is none either.
    entails: ['CACHE-AUTH-LIST-INVALID'],
    sentence: 'serves the list of a reference without a token',
    wrap: asking(hasOnlyRef, (token) => token ?? FULL),
  },
  {
    id: 'list-of-a-reference-for-strangers',
    breaks: ['CACHE-PERM-LIST-STRANGER'],
    sentence: 'serves the list of a reference to accounts without access to the repository',
    wrap: asking(hasOnlyRef, insteadOf('classic-stranger')),
  },
];

const deletions: CacheDeviation[] = [
  {
    id: 'delete-with-ref-at-level-read',
    breaks: ['CACHE-PERM-DELETE-FINE-READ'],
    sentence: 'deletes by key and ref for a token of level read',
    wrap: asking(hasRef, insteadOf(READ), 'DELETE'),
  },
  {
    id: 'delete-with-ref-without-a-token',
    breaks: ['CACHE-AUTH-DELETE-MISSING', 'CACHE-ANON-DELETE-PUBLIC'],
    sentence: 'deletes by key and ref without a token',
    wrap: asking(hasRef, (token) => token ?? FULL, 'DELETE'),
  },
  {
    id: 'delete-with-ref-with-any-token',
    breaks: [
      'CACHE-PERM-DELETE-CLASSIC-LACKING',
      'CACHE-PERM-DELETE-FINE-LACKING',
      'CACHE-PERM-DELETE-FINE-READ',
    ],
    entails: ['CACHE-PERM-DELETE-READER'],
    sentence: 'deletes by key and ref for every token that was issued',
    wrap: asking(
      hasRef,
      (token = '') => (/^(classic-(?!stranger)|fine-)/.test(token) ? FULL : token),
      'DELETE',
    ),
  },
  {
    id: 'delete-with-ref-for-strangers',
    breaks: ['CACHE-PERM-DELETE-STRANGER'],
    sentence: 'deletes by key and ref for accounts without access to the repository',
    wrap: asking(hasRef, insteadOf('classic-stranger'), 'DELETE'),
  },
  {
    id: 'public-delete-with-ref-without-a-token',
    breaks: ['CACHE-ANON-DELETE-PUBLIC'],
    sentence: 'deletes by key and ref without a token in a public repository',
    wrap: asking(isPublicWithRef, (token) => token ?? FULL, 'DELETE'),
  },
  {
    id: 'public-delete-with-ref-at-level-read',
    breaks: ['CACHE-PERM-DELETE-FINE-READ'],
    sentence: 'deletes by key and ref for a token of level read in a public repository',
    wrap: asking(isPublicWithRef, insteadOf(READ), 'DELETE'),
  },
];

export const permissionFormDeviations: CacheDeviation[] = [...lists, ...deletions];
