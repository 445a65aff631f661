/** Shared parts of the deviations and variants of this service. */
import { decodeJwt, type JSONWebKeySet } from 'jose';
import type { AgentRules, ErrorCode, Facts, JsonObject } from '../../reference/agents/index.ts';
import type { Handler } from '../../reference/kit/service.ts';
import { changeAnswers } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';

export type AgentDeviation = Deviation<AgentRules>;
export type Changed = Partial<AgentRules>;

/** The type of all claim checks, including those that ignore the facts. */
type ClaimRule = (claims: JsonObject, facts: Facts) => ErrorCode | undefined;

/** Replaces a claim check with `rule`, which gets the original check as its last argument. */
export function claimRule(
  name: AgentRules['claimChecks'][number],
  rule: (claims: JsonObject, facts: Facts, original: ClaimRule) => ErrorCode | undefined,
): (original: AgentRules) => Changed {
  return (original) => ({
    [name]: (claims: JsonObject, facts: Facts) => rule(claims, facts, original[name] as ClaimRule),
  });
}

/** Makes a claim check refuse with another code. */
export function recoded(
  name: AgentRules['claimChecks'][number],
  code: string,
): (original: AgentRules) => Changed {
  return claimRule(name, (claims, facts, original) =>
    original(claims, facts) === undefined ? undefined : (code as ErrorCode),
  );
}

/** Whether a request is a registration: `POST /agent/auth`. */
export function isRegistration({ method, url }: { method: string; url: URL | string }): boolean {
  return method === 'POST' && (typeof url === 'string' ? new URL(url) : url).pathname === '/agent/auth';
}

/** Returns the key that a call carries; undefined where it carries none. */
export function bearerOf({ headers }: Request): string | undefined {
  return /^bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
}

/** Returns a call with a key that was never issued in the place of its own, so that it is refused as unknown. */
export function withUnknownKey({ url, method }: Request): Request {
  return new Request(url, { method, headers: { authorization: 'Bearer ended' } });
}

/** Returns the claims of a JWT without verifying it; undefined where it is not a JWT. */
export function unverified(assertion: unknown): JsonObject | undefined {
  try {
    return decodeJwt(String(assertion)) as JsonObject;
  } catch {
    return undefined;
  }
}

/**
 * Accepts assertions without verifying them if `trusts` holds for them. Their claims are used as they are;
 * for an assertion that is not even a JWS, claims are made up.
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

/** Returns the JOSE header of a compact JWS; undefined where it cannot be read. */
export function headerOf(assertion: unknown): JsonObject | undefined {
  try {
    return JSON.parse(
      Buffer.from(String(assertion).split('.')[0] as string, 'base64url').toString('utf8'),
    ) as JsonObject;
  } catch {
    return undefined;
  }
}

/** Changes those refusals of a registration whose `error` is one of these codes. */
export function changeRefusals(
  codes: readonly string[],
  change: (response: Response) => Response | Promise<Response>,
): (next: Handler) => Handler {
  return changeAnswers(isRegistration, async (response) => {
    if (response.status < 400) return response;
    const { error } = (await response.clone().json()) as { error?: string };
    return codes.includes(error ?? '') ? change(response) : response;
  });
}

/**
 * Returns the `assertion` of a registration request, of whatever type; undefined where the body is not JSON.
 */
export function assertionIn(text: string): unknown {
  try {
    return (JSON.parse(text) as JsonObject | null)?.assertion;
  } catch {
    return undefined;
  }
}

/** Name of a claim check. */
type Check = Parameters<typeof claimRule>[0];

/** Makes a claim check also accept claims for which `accepts` holds. */
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

/** Serves the document of the path `from`, changed, at the path `to` as well. */
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

/** Returns the check of `exp`, which notes the time on the target in seconds, and a function that returns that. */
export function timeNoted({
  checkExpiry,
}: AgentRules): Pick<AgentRules, 'checkExpiry'> & { now: () => number } {
  let noted = 0;
  return {
    checkExpiry: (claims, facts) => {
      noted = facts.now;
      return checkExpiry(claims, facts);
    },
    now: () => noted,
  };
}

/**
 * Returns a function that removes an entry of a store when it is looked up more than so many seconds after the time
 * before that.
 */
export function removalUnseen(
  seconds: number,
  now: () => number,
): (store: Map<string, unknown>, key: string) => void {
  const since = new Map<string, number>();
  return (store, key) => {
    if (now() - (since.get(key) ?? now()) > seconds) store.delete(key);
    since.set(key, now());
  };
}

/** Changes the bodies of successful registrations from the tenth on. */
export function changeLater(change: (body: JsonObject) => JsonObject): (original: AgentRules) => Changed {
  return (original) => {
    let count = 0;
    return {
      registrationBody: (registration, scopes) => {
        count += 1;
        const body = original.registrationBody(registration, scopes);
        return count < 10 ? body : change(body);
      },
    };
  };
}
