/** 2 Resources and their fields: every answer to a read of the run, whatever was asked. */
import { type AnswerForm, type Asked, checkAllAnswers } from '../../lib/check/all-answers.ts';
import type { Exchange } from '../../lib/model/results.ts';
import { DEFAULTS } from '../../services/caches/api/client.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import { FIELD_IDS } from '../../services/caches/requirement-ids/fields.ts';
import { type CacheContext, check } from './suite.ts';

/** Whether the usual version and media type are asked for, or none: others may have answers of another form. */
const isUsual = ({ header, target }: Asked): boolean => {
  const { versionHeader, version, mediaType } = { ...DEFAULTS, ...target?.caches };
  const accept = header('accept') ?? '*/*';
  return (
    (header(versionHeader.toLowerCase()) ?? version) === version &&
    ['*/*', 'application/json', mediaType].includes(accept)
  );
};

const FORMS: AnswerForm[] = (
  [
    [/\/actions\/cache\/retention-limit$/, 'RetentionLimit'],
    [/\/actions\/cache\/storage-limit$/, 'StorageLimit'],
    [/\/orgs\/[^/]+\/actions\/cache\/usage$/, 'OrganizationUsage'],
    [/\/orgs\/[^/]+\/actions\/cache\/usage-by-repository$/, 'OrganizationUsageByRepository'],
    [/\/repos\/[^/]+\/[^/]+\/actions\/cache\/usage$/, 'RepositoryUsage'],
    [/\/repos\/[^/]+\/[^/]+\/actions\/caches$/, 'CacheList'],
  ] as const
).map(([path, schema]) => ({ method: 'GET', path, status: 200, schema, when: isUsual }));

checkAllAnswers(check, Object.values(FIELD_IDS).flat(), { schemas, forms: FORMS, again });

async function again({ http }: CacheContext, { purpose, request: { method, url, headers } }: Exchange) {
  return http.send({ method, url, purpose: `${purpose} again`, headers: Object.fromEntries(headers) });
}
