/** 2 Registration response and 4 Account rules: every registration of the run, the last as the first. */
import type { Expect } from '../../lib/check/expect.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Registration } from '../../services/agents/fixtures/registration.ts';
import { schemas } from '../../services/agents/judging/schemas.ts';
import { FIELDS } from './response-fields.ts';
import { check as suiteCheck } from './suite.ts';

const check = suiteCheck.with({ touches: { clock: 'move' }, phase: 'late', looksBack: true });

const write = { effects: 'write' } as const;

check(FIELDS, { ...write, case: 'all-of-the-run' }, async ({ registrations, expect }) => {
  await registrations.twin();
  for (const answer of registrations.successes) expect.fields(answer, schemas, 'RegistrationResponse');
});

const RESPONSE = [
  'AGENT-REG-CREDENTIAL-SAME',
  'AGENT-REG-SCOPES-GLOBAL',
  'AGENT-REG-NO-ACCESS-TOKEN',
  'AGENT-REG-STATUS',
];

check(RESPONSE, { ...write, case: 'all-of-the-run' }, async ({ registrations, discovery, expect }) => {
  await registrations.twin();
  const scope = discovery.config.scope ?? 'service:global';
  for (const answer of registrations.successes) {
    expect.soft('AGENT-REG-STATUS', (its) => its.status(answer, 200));
    const [key, credential, scopes] = ['/api_key', '/credential', '/scopes'].map((at) => answer.at(at));
    const token = answer.at('/access_token') ?? null;
    expect.soft('AGENT-REG-NO-ACCESS-TOKEN', (its) =>
      its.that(token === null, 'the response carries an access_token', { answer, at: '/access_token' }),
    );
    // Other checks judge the fields themselves.
    if (typeof key === 'string' && typeof credential === 'string' && key !== '' && credential !== '')
      expect.soft('AGENT-REG-CREDENTIAL-SAME', (its) =>
        its.that(credential === key, '`credential` differs from `api_key`', { answer, at: '/credential' }),
      );
    if (Array.isArray(scopes) && scopes.every((each) => typeof each === 'string'))
      expect.soft('AGENT-REG-SCOPES-GLOBAL', (its) =>
        its.that(scopes.includes(scope), `scopes does not contain ${scope}`, { answer, at: '/scopes' }),
      );
  }
});

const USERS = ['AGENT-USER-SAME-ID', 'AGENT-USERS-TWO-IDS', 'AGENT-USER-ANOTHER-KEY', 'AGENT-USERS-TWO-KEYS'];

check(USERS, { ...write, case: 'all-of-the-run' }, async ({ registrations, expect }) => {
  await registrations.twin();
  const [byUser, byId, byKey] = [1, 2, 3].map(() => new Map<string, Registration>());
  const [used, apart] = [new Set<unknown>(), new Set<unknown>()];
  for (const made of registrations.made) {
    const { answer, assertion } = made;
    const { sub, jti } = assertion.claims;
    // Where one assertion succeeds twice, another requirement is violated.
    if (used.has(jti)) continue;
    used.add(jti);
    expectOwnKey(expect, byKey!, made);
    // Which user others belong to, who share claims with these, is open, or has its own check.
    const id = answer.at('/user_id');
    if (typeof id !== 'string' || !isPlain(made)) continue;
    const [earlier, other] = [byUser!.get(String(sub)), byId!.get(id)];
    const at = { answer, at: '/user_id' };
    const changed = earlier && earlier.answer.at('/user_id') !== id;
    if (earlier && changed && areAtOnce(earlier.answer, answer)) apart.add(sub);
    // What concurrent registrations of a user make of it is another requirement.
    if (earlier && !apart.has(sub))
      expect.soft('AGENT-USER-SAME-ID', (its) =>
        its.equal(id, earlier.answer.at('/user_id'), 'user_id of a user who registered before', at),
      );
    const isOwn = other === undefined || other.assertion.claims.sub === sub;
    expect.soft('AGENT-USERS-TWO-IDS', (its) => its.that(isOwn, 'another user has the same user_id', at));
    byUser!.set(String(sub), made);
    byId!.set(id, made);
  }
});

/** Fails the check if an earlier registration was given the same key. */
function expectOwnKey(expect: Expect, byKey: Map<string, Registration>, made: Registration): void {
  const { answer, key = '', assertion } = made;
  const same = byKey.get(key);
  const isOneUser = same?.assertion.claims.sub === assertion.claims.sub;
  const what = 'an earlier registration was given the same key';
  expect.soft(isOneUser ? 'AGENT-USER-ANOTHER-KEY' : 'AGENT-USERS-TWO-KEYS', (its) =>
    its.that(same === undefined, what, { answer, at: '/api_key' }),
  );
  byKey.set(key, made);
}

/** Returns whether the second of two requests was sent before the first was answered. */
function areAtOnce({ exchange: first }: Answer, { exchange: second }: Answer): boolean {
  return Date.parse(second.startedAt) < Date.parse(first.startedAt) + first.durationMs;
}

/** Returns whether a registration is about a user of the suite as it makes them, with nothing changed. */
function isPlain({ assertion: { claims }, further }: Registration): boolean {
  const [, id] = /^conformance-([0-9a-f]+-[\w -]+)$/.exec(String(claims.sub)) ?? [];
  return !further && id !== undefined && new RegExp(`^[a-z]+\\.${id}@`).test(String(claims.email));
}
