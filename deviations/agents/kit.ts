/** Shared parts of the deviations and variants of this service. */
import { decodeJwt, type JSONWebKeySet } from 'jose';
import type { AgentRules, ErrorCode, Facts, JsonObject } from '../../reference/agents/index.ts';
import type { Handler } from '../../reference/kit/service.ts';
import { changeAnswers } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';

export type AgentDeviation = Deviation<AgentRules>;
export type Changed = Partial<AgentRules>;

/** The claim checks that judge claims alone and those that need the facts, under one type. */
type ClaimRule = (claims: JsonObject, facts: Facts) => ErrorCode | undefined;

/** Replaces a claim check by one that may ask the original. */
export function claimRule(
  name: AgentRules['claimChecks'][number],
  rule: (claims: JsonObject, facts: Facts, original: ClaimRule) => ErrorCode | undefined,
): (original: AgentRules) => Changed {
  return (original) => ({
    [name]: (claims: JsonObject, facts: Facts) => rule(claims, facts, original[name] as ClaimRule),
  });
}

/** Where a claim check would refuse with one code, it refuses with another. */
export function recoded(
  name: AgentRules['claimChecks'][number],
  code: string,
): (original: AgentRules) => Changed {
  return claimRule(name, (claims, facts, original) =>
    original(claims, facts) === undefined ? undefined : (code as ErrorCode),
  );
}

/** The claims of a JWT without looking at its signature; none where it is no JWT. */
export function unverified(assertion: unknown): JsonObject | undefined {
  try {
    return decodeJwt(String(assertion)) as JsonObject;
  } catch {
    return undefined;
  }
}

/**
 * Lets assertions through without verification where `trusts` says so: their claims are taken as they stand,
 * or made up where there are none.
 */
export function trusting(
  trusts: (assertion: unknown, header: JsonObject | undefined, jwks: JSONWebKeySet | undefined) => boolean,
): (original: AgentRules) => Changed {
  return (original) => {
    const madeUp = new WeakSet<JsonObject>();
    const checks = Object.fromEntries(
      original.claimChecks.map((name) => [
        name,
        (claims: JsonObject, facts: Facts) =>
          madeUp.has(claims) ? undefined : (original[name] as ClaimRule)(claims, facts),
      ]),
    ) as Changed;
    return {
      ...checks,
      readHeader: (assertion) => {
        try {
          return original.readHeader(assertion);
        } catch (fault) {
          if (!trusts(assertion, undefined, undefined)) throw fault;
          return { alg: 'RS256', typ: 'oauth-id-jag+jwt' };
        }
      },
      verifySignature: async (assertion, jwks, algorithms) => {
        const header = headerOf(assertion);
        if (!trusts(assertion, header, jwks)) return original.verifySignature(assertion, jwks, algorithms);
        const claims = unverified(assertion);
        if (claims) return claims;
        if (header) return original.verifySignature(assertion, jwks, algorithms);
        const invented = {
          sub: `user of ${String(assertion).length} characters`,
          jti: String(Math.random()),
          exp: 2 ** 40,
        };
        madeUp.add(invented);
        return invented;
      },
    };
  };
}

/** The JOSE header of a compact JWS; none where it cannot be read. */
export function headerOf(assertion: unknown): JsonObject | undefined {
  try {
    return JSON.parse(
      Buffer.from(String(assertion).split('.')[0] as string, 'base64url').toString('utf8'),
    ) as JsonObject;
  } catch {
    return undefined;
  }
}

/** Changes the answers of the registration endpoint that carry one of these codes. */
export function changeRefusals(
  codes: readonly string[],
  change: (response: Response) => Response | Promise<Response>,
): (next: Handler) => Handler {
  return changeAnswers(
    ({ method, url }) => method === 'POST' && url.pathname === '/agent/auth',
    async (response) => {
      if (response.status < 400) return response;
      const { error } = (await response.clone().json()) as { error?: string };
      return codes.includes(error ?? '') ? change(response) : response;
    },
  );
}

/** The `assertion` of a registration request, whatever it is. */
export function assertionIn(text: string): unknown {
  try {
    return (JSON.parse(text) as JsonObject | null)?.assertion;
  } catch {
    return undefined;
  }
}

/** Name of a claim check. */
type Check = Parameters<typeof claimRule>[0];

/** Accepts more than the original check does. */
export function lenient(
  id: string,
  check: Check,
  breaks: string[],
  sentence: string,
  accepts: (claims: JsonObject, facts: Facts) => boolean,
  entails: string[] = [],
): AgentDeviation {
  const rules = claimRule(check, (claims, facts, original) =>
    accepts(claims, facts) ? undefined : original(claims, facts),
  );
  return { id, breaks, entails, sentence, rules };
}

/** Serves the answer to another path at a path of its own, changed. */
export const copy =
  (from: string, to: string, change: (body: JsonObject) => JsonObject) =>
  (next: Handler): Handler =>
  async (request) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.pathname !== to) return next(request);
    url.pathname = from;
    const answer = await next(new Request(url, { headers: request.headers }));
    return Response.json(change((await answer.json()) as JsonObject), { status: answer.status });
  };
