import type { Clock } from '../reference/kit/clock.ts';
import type { Handler } from '../reference/kit/service.ts';

/** The three services of the reference. */
export type ServiceName = 'shipping' | 'agents' | 'caches';

/**
 * The reference with something changed: by replaced rules (a seam in the reference), by a filter around
 * it, or both. Both functions are called once for every fresh service, so what they close over lives as
 * long as that service and no longer.
 */
export interface Change<Rules> {
  /** Replaces rules of the service; gets the originals so that a change can call them. */
  rules?: (original: Rules) => Partial<Rules>;
  /** Wraps the whole service: changes requests on their way in or answers on their way out. */
  wrap?: (next: Handler, clock: Clock) => Handler;
}

/** The reference with exactly one requirement broken. */
export interface Deviation<Rules = unknown> extends Change<Rules> {
  /** Stable, unique within its service: `patch-resets-company`. */
  id: string;
  /** The requirements that it breaks: a check has to fail on each of them. */
  breaks: string[];
  /**
   * Further requirements that cannot hold once those do not: checks may fail on them, and need not. `*` stands
   * for any requirement, where everything else depends on what is broken.
   */
  entails?: string[];
  /** Completes "an implementation that …". */
  sentence: string;
}

/** The reference with one or more silences filled in another legitimate way: nothing may fail. */
export interface Variant<Rules = unknown> extends Change<Rules> {
  /** Stable, unique within the variants of its service. */
  id: string;
  /** The silences that it fills differently. */
  fills: string[];
  /** Completes "a conforming implementation that …". */
  sentence: string;
  /**
   * Ids of variants that would contradict it. Those that fill the same silence or replace the same rule are
   * never combined anyway.
   */
  conflicts?: string[];
  /** What the target's configuration needs for this variant, over that of the reference. */
  configure?: Record<string, unknown>;
}

/** A server that implements nothing of a service. */
export interface Trivial {
  /** Stable, unique: `always-404`. */
  id: string;
  /** The only service it makes sense for; all three when absent. */
  service?: ServiceName;
  /** Completes "a server that …". */
  sentence: string;
  /**
   * Makes the server. Where it does not answer, its handler throws an Error with the message that the real
   * transport would give.
   */
  serve: (surface: Surface) => Handler;
}

/** Everything that a service brings to the proof. */
export interface ServiceProof<Rules> {
  service: ServiceName;
  /** Written by hand. */
  deviations: readonly Deviation<Rules>[];
  /** What deviations are generated from. */
  surface: Surface;
  variants: readonly Variant<Rules>[];
}

/** The surface of a service: its answers, and the requirement about each of their parts. */
export interface Surface {
  /** JSON Schemas that refer to each other by `$id`. */
  schemas: readonly object[];
  answers: readonly AnswerKind[];
  /** Requirements about one way of breaking a property, `<schema>.<property>/<mutation>`, before its `field`. */
  attributions?: Readonly<Record<string, string>>;
  /** Further requirements that cannot hold when a property is broken, by `<schema>.<property>`. */
  fieldEntails?: Readonly<Record<string, readonly string[]>>;
  /** Ids of generated deviations, without the service, that change nothing observable. */
  unreachable?: readonly RegExp[];
}

/** One kind of answer: of one endpoint, successful or refused. */
export interface AnswerKind {
  /** Unique within the service, part of ids: `list`. */
  name: string;
  method: string;
  /** Of the path without the service's prefix. */
  path: RegExp;
  /** Selects the requests that get this kind, where method and path do not suffice. */
  when?: (request: AnsweredRequest) => boolean;
  /** The statuses that it has. */
  status: number | readonly number[];
  /** `$id` of the schema that its body fits. */
  schema?: string;
  /** The requirements that are about its status, and the other statuses to try in its place. */
  statusRequirement?: string | readonly string[];
  neighbours?: readonly number[];
  /** Further requirements that cannot hold with another status. */
  statusEntails?: readonly string[];
  /** The requirement that its body is an object at all (or an array), where there is one. */
  bodyRequirement?: string;
  /** Further requirements that cannot hold for a body that is broken as a whole. */
  bodyEntails?: readonly string[];
  /** Requirements about headers of this answer, by header. */
  headers?: Readonly<Record<string, string>>;
  /** Requirements that may fail as well with any change to this answer. */
  entails?: readonly string[];
}

/** What an answer is the answer to. */
export interface AnsweredRequest {
  method: string;
  url: URL;
  headers: Headers;
  /** The body as text. */
  text: string;
}

/** The requirement about a property of a schema, by `<schema>/<property>`: the catalogues' `field` entries. */
export type FieldRequirements = Readonly<Record<string, string>>;

/** One case of the proof as plain data. */
export interface ProofCase {
  /** Unique: `shipping/patch-resets-company`, `shipping/generated/…`, `shipping/variants/…`, `shipping/trivial/…`. */
  id: string;
  service: ServiceName;
  kind: 'reference' | 'deviation' | 'pair' | 'variant' | 'trivial';
  /** How a deviation or variant came about. */
  origin: 'hand' | 'generated';
  sentence: string;
  /** Pairs: the deviations that are together. */
  of?: readonly string[];
  /** Pairs: what each of them breaks, in the same order. */
  parts?: readonly (readonly string[])[];
  breaks: readonly string[];
  entails: readonly string[];
  fills: readonly string[];
  configure?: Record<string, unknown>;
}
