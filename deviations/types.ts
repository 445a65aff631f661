import type { Clock } from '../reference/kit/clock.ts';
import type { Handler } from '../reference/kit/service.ts';

/** The three services of the reference. */
export type ServiceName = 'shipping' | 'agents' | 'caches';

/**
 * The reference with something changed: by replaced rules, by a filter around the service, or both. Both
 * functions are called once for every fresh service, so that the state in their closures belongs to that
 * service alone.
 */
export interface Change<Rules> {
  /** Replaces rules of the service. Gets the original rules, so that the new ones can call them. */
  rules?: (original: Rules) => Partial<Rules>;
  /** Wraps the whole service: changes requests on their way in or answers on their way out. */
  wrap?: (next: Handler, clock: Clock) => Handler;
}

/** The reference with one fault. */
export interface Deviation<Rules = unknown> extends Change<Rules> {
  /** Stable, and unique within its service, such as `patch-resets-company`. */
  id: string;
  /** The requirements that the fault breaks: a check has to fail on each of them. */
  breaks: string[];
  /**
   * Further requirements that cannot hold either: checks may fail on them, but need not. `*` stands for any
   * requirement, where everything else depends on what is broken.
   */
  entails?: string[];
  /** Ids of deviations beside which its fault cannot be seen, or theirs: these are never paired. */
  conflicts?: string[];
  /** Completes "an implementation that …". */
  sentence: string;
}

/** The reference with one or more silences filled in another legitimate way: nothing may fail. */
export interface Variant<Rules = unknown> extends Change<Rules> {
  /** Stable, and unique among the variants of its service. */
  id: string;
  /** The silences that it fills differently. */
  fills: string[];
  /** Completes "a conforming implementation that …". */
  sentence: string;
  /**
   * Ids of variants that contradict this one, or `*` for all. Variants that fill the same silence or replace the same rule
   * are never combined anyway.
   */
  conflicts?: string[];
  /** Settings of the target that differ from those of the reference for this variant. */
  configure?: Record<string, unknown>;
}

/** A server that implements nothing of a service. */
export interface Trivial {
  /** Stable and unique, such as `always-404`. */
  id: string;
  /** The only service that it can replace; absent where it can replace each of the three. */
  service?: ServiceName;
  /** Completes "a server that …". */
  sentence: string;
  /**
   * Creates the server. Where it does not answer, its handler throws an Error with the message that the real
   * transport would give.
   */
  serve: (surface: Surface) => Handler;
}

/** Everything that a service brings to the proof. */
export interface ServiceProof<Rules> {
  service: ServiceName;
  /** Deviations that are written by hand. */
  deviations: readonly Deviation<Rules>[];
  /** What further deviations are generated from. */
  surface: Surface;
  variants: readonly Variant<Rules>[];
  /** Deviations that also run where data of others was there before; absent where a service has no lists. */
  occupied?: Occupied<Rules>;
}

/** A target with data of others. */
export interface Occupied<Rules> {
  change: Change<Rules>;
  /** Follows the sentence of a deviation. */
  sentence: string;
  /** The ids of the deviations. */
  of: readonly string[];
}

/** The answers of a service, and the requirements about each of their parts. */
export interface Surface {
  /** JSON Schemas that refer to each other by `$id`. */
  schemas: readonly object[];
  answers: readonly AnswerKind[];
  /**
   * Requirements about one particular way of breaking a property, by `<schema>.<property>/<mutation>`. They
   * take precedence over the requirement about the property.
   */
  attributions?: Readonly<Record<string, string>>;
  /** Further requirements that cannot hold when a property is broken, by `<schema>.<property>`. */
  fieldEntails?: Readonly<Record<string, readonly string[]>>;
  /** Patterns for generated deviations that would change nothing observable, matched against their ids. */
  unreachable?: readonly RegExp[];
}

/** One kind of answer: to one endpoint, for success or for one sort of refusal. */
export interface AnswerKind {
  /** Unique within the service; part of ids, such as `list`. */
  name: string;
  method: string;
  /** Matches the path without the service's prefix. */
  path: RegExp;
  /** Selects the requests that get this kind, where method and path do not suffice. */
  when?: (request: AnsweredRequest) => boolean;
  /** The statuses that this kind of answer has. */
  status: number | readonly number[];
  /** `$id` of the schema of its body. */
  schema?: string;
  /** The requirements that are about its status, and the wrong statuses to try in its place. */
  statusRequirement?: string | readonly string[];
  neighbours?: readonly number[];
  /** Further requirements that cannot hold with another status. */
  statusEntails?: readonly string[];
  /** The requirement that its body is an object (or an array) at all, where there is one. */
  bodyRequirement?: string;
  /** Further requirements that cannot hold for a body that is broken as a whole. */
  bodyEntails?: readonly string[];
  /** Requirements about headers of this answer, by header. */
  headers?: Readonly<Record<string, string>>;
  /** Requirements that may fail as well where anything about this answer is changed. */
  entails?: readonly string[];
}

/** The request that an answer belongs to. */
export interface AnsweredRequest {
  method: string;
  url: URL;
  headers: Headers;
  /** The body as text. */
  text: string;
}

/**
 * The requirement about a property of a schema, by `<schema>/<property>`, from the catalogues' `field`
 * entries.
 */
export type FieldRequirements = Readonly<Record<string, string>>;

/** One case of the proof as plain data. */
export interface ProofCase {
  /**
   * Unique, such as `shipping/patch-resets-company`, `shipping/generated/…`, `shipping/variants/…` and
   * `shipping/trivial/…`.
   */
  id: string;
  service: ServiceName;
  kind: 'reference' | 'deviation' | 'pair' | 'variant' | 'trivial';
  /** Whether a deviation is written by hand or generated. */
  origin: 'hand' | 'generated';
  sentence: string;
  /** For a pair: the ids of its two deviations. */
  of?: readonly string[];
  /** For a pair: the requirements that each of the two breaks, in the same order. */
  parts?: readonly (readonly string[])[];
  breaks: readonly string[];
  entails: readonly string[];
  fills: readonly string[];
  configure?: Record<string, unknown>;
}
