/** Deviations from the schemas: every property of every answer, broken in every way. */
import { changeKind, withBody, withText } from '../kit/answers.ts';
import { indexSchemas, reachable, visitObjects } from '../kit/walk.ts';
import type { Deviation, FieldRequirements, Surface } from '../types.ts';
import { mutationsOf } from './mutations.ts';

/**
 * Generates a deviation for every property of every answer and every way to break it, where a requirement is
 * about that property.
 */
export function* fieldDeviations<Rules>(
  surface: Surface,
  fields: FieldRequirements,
): Generator<Deviation<Rules>> {
  const schemas = indexSchemas(surface.schemas);
  const rare = new Set<string>();
  for (const kind of surface.answers) {
    if (kind.schema === undefined) continue;
    const root = schemas.get(kind.schema)!;
    for (const [owner, node] of reachable(schemas, kind.schema)) {
      for (const [property, inner] of Object.entries(node.properties ?? {})) {
        // The member that an envelope wraps is in no catalogue; the requirement about the body covers it.
        const own = fields[`${owner}/${property}`];
        const fallback = owner === kind.schema ? kind.bodyRequirement : undefined;
        for (const mutation of mutationsOf(schemas, inner, node.required?.includes(property) ?? false)) {
          const name = `${owner}.${property}/${mutation.name}`;
          if (surface.unreachable?.some((pattern) => pattern.test(`${kind.name}/${name}`))) continue;
          // A rare fault is generated for one answer only.
          if (mutation.rare && rare.has(name)) continue;
          if (mutation.rare) rare.add(name);
          const requirement = surface.attributions?.[name] ?? own ?? fallback;
          if (requirement === undefined) continue;
          yield {
            id: `${kind.name}/${name}`,
            breaks: [requirement],
            entails: [...(kind.entails ?? []), ...(surface.fieldEntails?.[`${owner}.${property}`] ?? [])],
            sentence: `breaks ${property} of ${owner} in the answer to ${kind.name}: ${mutation.phrase}`,
            wrap: changeKind(kind, (response) =>
              withBody(response, (body) => {
                visitObjects(schemas, root, body, owner, (object) => mutation.apply(object, property));
                return body;
              }),
            ),
          };
        }
      }
    }
  }
}

/** What a body that should be an object is replaced by. */
const BODIES: Record<string, { phrase: string; text: (text: string) => string; type?: string }> = {
  empty: { phrase: 'empty', text: () => '' },
  html: { phrase: 'an HTML page', text: () => '<!doctype html><title>ok</title>', type: 'text/html' },
  'not-json': { phrase: 'truncated', text: (text) => text.slice(0, -1) },
  array: { phrase: 'an array with the object in it', text: (text) => `[${text}]` },
  text: { phrase: 'JSON inside a JSON string', text: (text) => JSON.stringify(text) },
};

/**
 * Generates a deviation for every answer whose body a requirement is about, and every way to break that body
 * as a whole.
 */
export function* bodyDeviations<Rules>(surface: Surface): Generator<Deviation<Rules>> {
  for (const kind of surface.answers) {
    if (kind.bodyRequirement === undefined) continue;
    for (const [name, { phrase, text, type = 'application/json' }] of Object.entries(BODIES)) {
      yield {
        id: `${kind.name}/body/${name}`,
        breaks: [kind.bodyRequirement],
        entails: [...(kind.entails ?? []), ...(kind.bodyEntails ?? [])],
        sentence: `answers ${kind.name} with a body that is ${phrase}`,
        wrap: changeKind(kind, async (response) => withText(response, text(await response.text()), type)),
      };
    }
  }
}
