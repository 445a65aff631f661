/** 2 and 4: every success of the run but those of settings, whatever was asked: its form and its status. */
import { type AnswerForm, type Asked, checkAllAnswers } from '../../lib/check/all-answers.ts';
import type { Exchange } from '../../lib/model/results.ts';
import { DEFAULTS } from '../../services/caches/api/client.ts';
import { isMarked } from '../../services/caches/api/marks.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import { FIELD_IDS } from '../../services/caches/requirement-ids/fields.ts';
import { LIMIT_IDS } from '../../services/caches/requirement-ids/limits.ts';
import { KINDS, LEVELS } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check } from './suite.ts';

/**
 * Whether the usual version and media type are asked for, or none, since others may have answers of another form; and
 * with the configured token, since what others are answered is about permissions.
 */
const isUsual = ({ header, target }: Asked): boolean => {
  const { versionHeader, version, mediaType, token } = { ...DEFAULTS, token: undefined, ...target?.caches };
  const accept = header('accept') ?? '*/*';
  return (
    (token === undefined || header('authorization') === `Bearer ${token}`) &&
    (header(versionHeader.toLowerCase()) ?? version) === version &&
    ['*/*', 'application/json', mediaType].includes(accept)
  );
};

/** What the parameters of a list may be. Others are left open, and so is whether they change the status. */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  per_page: /^([1-9]\d?|100)$/,
  page: /^[1-9]\d*$/,
  sort: /^(created_at|last_accessed_at|size_in_bytes)$/,
  direction: /^(asc|desc)$/,
  key: /./,
  ref: /^refs\//,
};

const hasDocumented = ({ url: { searchParams } }: Asked): boolean =>
  [...searchParams].every(([name, value]) => PARAMETERS[name]?.test(value) ?? false);

const NAME = {
  enterprise: 'enterprises/[^/]+',
  organization: 'organizations/[^/]+',
  repository: 'repos/[^/]+/[^/]+',
};

const LIMITS: AnswerForm[] = LEVELS.flatMap((level) =>
  KINDS.map((kind) => ({
    method: 'GET',
    path: new RegExp(`/${NAME[level]}/actions/cache/${kind}-limit$`),
    status: 200,
    schema: kind === 'retention' ? 'RetentionLimit' : 'StorageLimit',
    when: isUsual,
    success: () => LIMIT_IDS['GET-STATUS'][level][kind],
  })),
);

const OTHERS: AnswerForm[] = (
  [
    ['GET', /\/orgs\/[^/]+\/actions\/cache\/usage$/, 'OrganizationUsage', 'CACHE-ORG-USAGE-STATUS'],
    [
      'GET',
      /\/orgs\/[^/]+\/actions\/cache\/usage-by-repository$/,
      'OrganizationUsageByRepository',
      'CACHE-BY-REPO-STATUS',
    ],
    ['GET', /\/repos\/[^/]+\/[^/]+\/actions\/cache\/usage$/, 'RepositoryUsage', 'CACHE-REPO-USAGE-STATUS'],
    ['GET', /\/repos\/[^/]+\/[^/]+\/actions\/caches$/, 'CacheList', 'CACHE-LIST-STATUS'],
    // Which status a deletion has that finds nothing to delete is left open.
    ['DELETE', /\/repos\/[^/]+\/[^/]+\/actions\/caches$/, 'CacheList', undefined],
  ] as const
).map(([method, path, schema, id]) => ({
  method,
  path,
  status: 200,
  schema,
  when: isUsual,
  success: (asked) => (hasDocumented(asked) ? id : undefined),
}));

const STATUSES = [
  ...LEVELS.flatMap((level) => KINDS.map((kind) => LIMIT_IDS['GET-STATUS'][level][kind])),
  'CACHE-ORG-USAGE-STATUS',
  'CACHE-BY-REPO-STATUS',
  'CACHE-REPO-USAGE-STATUS',
  'CACHE-LIST-STATUS',
];

const FIELDS = Object.values(FIELD_IDS).flat();

checkAllAnswers(
  check,
  { fields: FIELDS, statuses: STATUSES },
  { schemas, forms: [...LIMITS, ...OTHERS], again },
  { effects: 'write' },
);

async function again({ http, session, api }: CacheContext, { purpose, request }: Exchange) {
  const { method, url, headers } = request;
  const key = new URL(url).searchParams.get('key') ?? '';
  const asked = { purpose: `${purpose} again`, headers: Object.fromEntries(headers) };
  if (method === 'GET') return http.send({ ...asked, method, url });
  // Keys with the mark of the run are its own, so that nothing of others can be deleted.
  if (!isMarked(key, session.mark)) return undefined;
  return api.send(method, url.slice(api.config.baseUrl.length), asked);
}
