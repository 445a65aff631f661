import type { CheckContext } from '../../../lib/check/context.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { CacheApi, RequestOptions } from './client.ts';
import type { Places } from './places.ts';

/**
 * Returns a function that sends a read request which the full token is permitted to make: the cache list of a
 * repository where one is configured, else the retention limit of the enterprise. Checks that are not about
 * one endpoint use it. Throws `Skipped` when the configuration names neither.
 */
export const anything = ({
  places,
  api,
}: CheckContext & { readonly api: CacheApi; readonly places: Places }) => {
  const repository = places.find('privateRepository') ?? places.find('readOnlyRepository');
  return (options: RequestOptions): Promise<Answer> =>
    repository
      ? api.list(repository, { per_page: 1 }, options)
      : api.readLimit(places.need('enterprise'), 'retention', options);
};
