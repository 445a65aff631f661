import type { JSONWebKeySet } from 'jose';
import type { Clock } from '../kit/clock.ts';
import type { AgentRules } from './rules/index.ts';
import { type ErrorCode, type Facts, Fault, type JsonObject, type State, type Urls } from './types.ts';

/** What the registration endpoint needs besides the request. */
export interface RegistrationContext {
  rules: AgentRules;
  state: State;
  clock: Clock;
  issuer: string;
  jwks: JSONWebKeySet;
}

/** Status, headers and body of an answer, before it becomes a Response. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: JsonObject;
}

/**
 * Answers one registration request (endpoint 3). Never throws: a `Fault` becomes the error answer that
 * section 7 gives for its code, and any other error becomes `server_error`.
 */
export async function register(request: Request, urls: Urls, context: RegistrationContext): Promise<Reply> {
  const { rules } = context;
  try {
    const claims = await authenticate(await readRequest(request, rules), urls, context);
    return await redeem(claims, context);
  } catch (error) {
    return refusal(error instanceof Fault ? error.code : 'server_error', urls, rules);
  }
}

/**
 * Returns the assertion of a registration request. Throws a `Fault` where the request is malformed or asks
 * for something that is not supported.
 */
async function readRequest(request: Request, rules: AgentRules): Promise<string> {
  const body = await rules.readBody(request);
  if (rules.requiredFields.some((field) => !rules.isPresent(body[field]))) throw new Fault('invalid_request');
  pass(rules.checkRequestType(body.type));
  pass(rules.checkAssertionType(body.assertion_type));
  pass(rules.checkCredentialType(body.requested_credential_type));
  pass(rules.checkAssertionText(body.assertion));
  return body.assertion as string;
}

/**
 * Verifies an assertion and returns its claims. Throws a `Fault` where it breaks any requirement except that
 * it is used only once, which `redeem` checks.
 */
async function authenticate(
  assertion: string,
  urls: Urls,
  context: RegistrationContext,
): Promise<JsonObject> {
  const { rules, clock, issuer, jwks } = context;
  const header = rules.readHeader(assertion);
  pass(rules.checkAlgorithm(header, rules.algorithms));
  pass(rules.checkTyp(header));
  const claims = await rules.verifySignature(assertion, jwks, rules.algorithms);
  const facts: Facts = {
    issuer,
    resource: urls.resource,
    now: clock.now() / 1000,
    leeway: rules.leeway,
    longestLifetime: rules.longestLifetime,
  };
  for (const check of rules.claimChecks) pass(rules[check](claims, facts));
  return claims;
}

/**
 * Redeems the assertion and issues a key. The `jti` is marked as used only here, after every other check has
 * passed, so that a refused assertion does not use it up. Throws a `Fault` for a replay.
 */
async function redeem(claims: JsonObject, { rules, state, clock }: RegistrationContext): Promise<Reply> {
  const replayKey = rules.replayKey(claims);
  if (!(await rules.claimAssertion(state.replays, replayKey, Number(claims.exp)))) {
    throw new Fault('replay_detected');
  }
  try {
    await rules.provision(state, claims);
    const userId = rules.userFor(state.users, rules.userKey(claims), rules.newUserId);
    const registration = {
      registrationId: rules.newRegistrationId(),
      userId,
      apiKey: rules.newApiKey(state.keys, userId),
      issuedAt: clock.now(),
    };
    rules.storeKey(state.keys, registration);
    return {
      status: rules.registeredStatus,
      headers: rules.registrationHeaders,
      body: rules.registrationBody(registration, rules.grantedScopes),
    };
  } catch (error) {
    rules.releaseAssertion(state.replays, replayKey);
    throw error;
  }
}

function refusal(code: ErrorCode, urls: Urls, rules: AgentRules): Reply {
  const { status } = rules.errors[code];
  return {
    status,
    headers: rules.errorHeaders(status, rules.challenge(urls, 'no-key')),
    body: rules.errorBody(code, rules.errors),
  };
}

function pass(code: ErrorCode | undefined): void {
  if (code !== undefined) throw new Fault(code);
}
