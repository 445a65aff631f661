/** Deviations in statuses and headers: a status that differs, a header that is absent or meaningless. */
import { changeKind, withHeaders, withStatus } from '../kit/answers.ts';
import type { Deviation, Surface } from '../types.ts';

/**
 * Generates a deviation for every answer whose status a requirement is about, and every wrong status to try.
 */
export function* statusDeviations<Rules>(surface: Surface): Generator<Deviation<Rules>> {
  for (const kind of surface.answers) {
    if (kind.statusRequirement === undefined) continue;
    for (const status of kind.neighbours ?? []) {
      yield {
        id: `${kind.name}/status/${status}`,
        breaks: [kind.statusRequirement].flat(),
        entails: [...(kind.entails ?? []), ...(kind.statusEntails ?? [])],
        sentence: `answers ${kind.name} with ${status} instead of ${[kind.status].flat().join(' or ')}`,
        wrap: changeKind(kind, (response) => withStatus(response, status)),
      };
    }
  }
}

/** Generates two deviations for every header that a requirement is about: it is absent, or has no meaning. */
export function* headerDeviations<Rules>(surface: Surface): Generator<Deviation<Rules>> {
  for (const kind of surface.answers) {
    for (const [header, requirement] of Object.entries(kind.headers ?? {})) {
      yield {
        id: `${kind.name}/header/${header.toLowerCase()}/absent`,
        breaks: [requirement],
        sentence: `leaves the header ${header} out of the answer to ${kind.name}`,
        wrap: changeKind(kind, (response) => withHeaders(response, { [header]: undefined })),
      };
      yield {
        id: `${kind.name}/header/${header.toLowerCase()}/wrong`,
        breaks: [requirement],
        sentence: `sends a meaningless header ${header} in the answer to ${kind.name}`,
        wrap: changeKind(kind, (response) => withHeaders(response, { [header]: 'x' })),
      };
    }
  }
}
