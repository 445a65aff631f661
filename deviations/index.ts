/** All cases of the proof, by id. */
import { describeReference, makeTrust } from '../reference/index.ts';
import { agentsProof } from './agents/index.ts';
import { cachesProof } from './caches/index.ts';
import { generateDeviations } from './generate/index.ts';
import { combine, pairs, pairwise } from './kit/combine.ts';
import { originals } from './service.ts';
import { shippingProof } from './shipping/index.ts';
import { trivialServers } from './trivial/index.ts';
import type {
  Change,
  Deviation,
  FieldRequirements,
  ProofCase,
  ServiceProof,
  Trivial,
  Variant,
} from './types.ts';

export type { ProofCase, ServiceName } from './types.ts';

/** A case of the proof, with everything that is needed to run it. */
export interface RunnableCase {
  facts: ProofCase;
  /** How the reference is changed; absent for a trivial server. */
  change?: Change<never>;
  /** The server that replaces the service. */
  trivial?: Trivial;
  surface: ServiceProof<never>['surface'];
}

/** Seed for choosing combinations of variants, so that every proof has the same ones. */
const SEED = 20_240_607;
/** How many pairs of deviations each service has. */
const PAIRS = 60;

type Facts = Omit<ProofCase, 'breaks' | 'entails' | 'fills'> & Partial<ProofCase>;

function casesOf<Rules extends object>(
  proof: ServiceProof<Rules>,
  rules: Rules,
  fields: FieldRequirements,
): RunnableCase[] {
  const { service, surface, occupied } = proof;
  const made = (facts: Facts, rest: { change?: Change<Rules>; trivial?: Trivial }): RunnableCase => ({
    facts: { breaks: [], entails: [], fills: [], ...facts },
    surface,
    ...(rest as Partial<RunnableCase>),
  });
  const deviation = (origin: ProofCase['origin'], prefix: string, each: Deviation<Rules>) => {
    const { id, breaks, entails = [], sentence } = each;
    const facts: Facts = {
      id: `${service}/${prefix}${id}`,
      service,
      kind: 'deviation',
      origin,
      sentence,
      breaks,
      entails,
    };
    return made(facts, { change: each });
  };
  const variant = (origin: ProofCase['origin'], id: string, parts: readonly Variant<Rules>[]) => {
    const configure = Object.assign({}, ...parts.map((part) => part.configure ?? {})) as Record<
      string,
      unknown
    >;
    const facts: Facts = {
      id: `${service}/variants/${id}`,
      service,
      kind: 'variant',
      origin,
      sentence: parts.map((part) => part.sentence).join('; '),
      fills: [...new Set(parts.flatMap((part) => part.fills))],
      ...(Object.keys(configure).length > 0 && { configure }),
    };
    return made(facts, { change: combine(parts) });
  };
  const sentence = 'is the reference itself';
  const generated = generateDeviations<Rules>(surface, fields);
  const pair = ([one, other]: readonly [Deviation<Rules>, Deviation<Rules>], i: number) => {
    const name = ({ id }: Deviation<Rules>) =>
      `${service}/${generated.some((each) => each.id === id) ? 'generated/' : ''}${id}`;
    const facts: Facts = {
      id: `${service}/pairs/${i + 1}`,
      service,
      kind: 'pair',
      origin: 'generated',
      sentence: `${one.sentence}; ${other.sentence}`,
      of: [name(one), name(other)],
      parts: [one.breaks, other.breaks],
      breaks: [...one.breaks, ...other.breaks],
      entails: [...(one.entails ?? []), ...(other.entails ?? [])],
    };
    return made(facts, { change: combine([one, other]) });
  };
  return [
    made(
      { id: `${service}/reference`, service, kind: 'reference', origin: 'hand', sentence },
      { change: {} },
    ),
    ...proof.deviations.map((each) => deviation('hand', '', each)),
    ...generated.map((each) => deviation('generated', 'generated/', each)),
    ...(occupied?.of ?? []).map((id) => {
      const each = proof.deviations.find((one) => one.id === id);
      if (each === undefined) throw new Error(`there is no deviation ${id}`);
      const both = { ...each, ...combine([occupied!.change, each]) };
      return deviation('generated', 'occupied/', {
        ...both,
        sentence: `${each.sentence} ${occupied!.sentence}`,
      });
    }),
    ...pairs([...proof.deviations, ...generated], rules, PAIRS, SEED).map(pair),
    ...proof.variants.map((each) => variant('hand', each.id, [each])),
    ...pairwise(proof.variants, rules, SEED).map((parts, i) =>
      variant('generated', `together/${i + 1}`, parts),
    ),
    ...trivialServers
      .filter((each) => each.service === undefined || each.service === service)
      .map((trivial) =>
        made(
          {
            id: `${service}/trivial/${trivial.id}`,
            service,
            kind: 'trivial',
            origin: 'hand',
            sentence: trivial.sentence,
          },
          { trivial },
        ),
      ),
  ];
}

let known: { key: string; cases: Map<string, RunnableCase> } | undefined;

/**
 * Returns all cases, by id.
 * @param fields the requirement about each property of a schema, from the catalogues
 * @throws Error for an id that is used twice
 */
export function allCases(fields: FieldRequirements): Map<string, RunnableCase> {
  const key = JSON.stringify(fields);
  if (known?.key === key) return known.cases;
  const cases = new Map<string, RunnableCase>();
  const all = [
    ...casesOf(shippingProof, originals.shipping, fields),
    ...casesOf(agentsProof, originals.agents, fields),
    ...casesOf(cachesProof, originals.caches, fields),
  ];
  for (const each of all) {
    if (cases.has(each.facts.id)) throw new Error(`two deviations or variants are called ${each.facts.id}`);
    cases.set(each.facts.id, each);
  }
  known = { key, cases };
  return cases;
}

/**
 * Describes the reference as a target at `url`, where nothing needs to listen. Returns a `description` with
 * the keys of a target in `targets.yaml`, and the `params` that the transport needs besides the case so that
 * its servers match the description.
 */
export async function describeProofTarget(url: string) {
  const trust = await makeTrust();
  const { hooks, ...services } = describeReference(url, trust);
  return { description: { hooks, services }, params: { issuer: trust.issuer, jwks: trust.jwks } };
}

/** Returns the files in which each case is written; see `filesOf` in `files.ts`. */
export async function filesOf(fields: FieldRequirements): Promise<ReadonlyMap<string, string[]>> {
  const cases = [...allCases(fields).values()].map(({ facts }) => facts);
  return (await import('./files.ts')).filesOf(cases);
}
