/** Servers that have one constant answer for each endpoint. Some of these answers even fit the schema. */
import type { Handler } from '../../reference/kit/service.ts';
import { isAsked } from '../kit/answers.ts';
import { sample } from '../kit/sample.ts';
import { indexSchemas } from '../kit/walk.ts';
import type { Surface, Trivial } from '../types.ts';

/** Answers each request with the first kind of answer that its method and path may get. */
function constant(
  surface: Surface,
  accepts: (status: number) => boolean,
  statusOf: (status: number) => number,
): Handler {
  const schemas = indexSchemas(surface.schemas);
  const kinds = surface.answers.map((kind) => ({
    kind: { ...kind, when: () => true },
    status: [kind.status].flat()[0] ?? 200,
    body: kind.schema === undefined ? {} : sample(schemas, schemas.get(kind.schema) ?? {}),
  }));
  return async (request) => {
    const { method, headers } = request;
    const asked = { method, headers, url: new URL(request.url), text: '' };
    const found = kinds.find(({ kind, status }) => accepts(status) && isAsked(kind, asked));
    const status = statusOf(found?.status ?? 200);
    if (status === 204) return new Response(null, { status });
    return Response.json(found?.body ?? {}, { status });
  };
}

const isSuccess = (status: number) => status < 300;

export const constantAnswers: Trivial[] = [
  {
    id: 'constant',
    sentence: 'answers each endpoint with its documented status and a constant that fits its schema',
    serve: (surface) => constant(surface, isSuccess, (status) => status),
  },
  {
    id: 'constant-200',
    sentence: 'answers each endpoint 200 with a constant that fits its schema',
    serve: (surface) => constant(surface, isSuccess, () => 200),
  },
  {
    id: 'constant-refusals',
    sentence: 'answers each endpoint with a documented refusal',
    serve: (surface) =>
      constant(
        surface,
        (status) => status >= 400,
        (status) => (status < 300 ? 404 : status),
      ),
  },
];
