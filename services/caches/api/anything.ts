import type { CheckContext } from '../../../lib/check/context.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { CacheApi, RequestOptions } from './client.ts';
import type { Places } from './places.ts';

/** Something that everybody who has the full token may read. */
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
