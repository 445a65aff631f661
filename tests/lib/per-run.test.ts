/** What is made once in a run and shared by its checks. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type HasSession, perRun, perRunOf } from '../../lib/check/per-run.ts';
import { Session } from '../../lib/check/session.ts';
import { Undecided } from '../../lib/model/verdict.ts';

const open = () =>
  Session.open({
    runId: randomUUID(),
    target: { name: 'none', embedded: false, hooks: {} },
    options: { suites: [], grep: [], effects: ['read'], maxWaitMs: 0, timeoutMs: 1, seed: 1, strict: false },
  });

/** What a fixture draws that is defined now, after whatever was defined before. */
async function drawn(name: string): Promise<string> {
  const fixture = perRun(name, async ({ session }: HasSession) => session.serial());
  return fixture({ session: await open() });
}

test('draws the same data whatever else is defined: the suites that a run has chosen do not change them', async () => {
  const first = await drawn('a thing');
  perRun('something else', async () => undefined);
  expect(await drawn('a thing')).toBe(first);
  expect(await drawn('another thing')).not.toBe(first);
});

test('is made once for each combination of arguments, or of what tells them apart', async () => {
  const holder = { session: await open() };
  const made: unknown[] = [];
  const each = perRun('each', async (_: HasSession, name: string, query?: { page: number }) =>
    made.push([name, query]),
  );
  const first = perRun('by', async (_: HasSession, map: Map<string, number>) => made.push(map), {
    by: (map) => [map.size],
  });
  await each(holder, 'a');
  await each(holder, 'a', { page: 1 });
  await each(holder, 'a', { page: 1 });
  await each(holder, 'a "b"');
  await each({ session: await open() }, 'a');
  expect(made).toEqual([
    ['a', undefined],
    ['a', { page: 1 }],
    ['a "b"', undefined],
    ['a', undefined],
  ]);
  await first(holder, new Map([['x', 1]]));
  await first(holder, new Map([['y', 2]]));
  expect(made).toHaveLength(5);
});

class Things implements HasSession {
  readonly session: Session;
  #made = 0;

  constructor(session: Session) {
    this.session = session;
  }

  readonly thing = perRunOf(this, 'thing', async (name: string) => {
    this.#made += 1;
    return `${name} ${this.#made}`;
  });
}

test('as a member is one and the same for all instances of a session', async () => {
  const session = await open();
  const [one, other] = [new Things(session), new Things(session)];
  expect([await one.thing('a'), await other.thing('a'), await other.thing('b')]).toEqual([
    'a 1',
    'a 1',
    'b 1',
  ]);
});

test('is made anew where what it rests on is, since the two would not fit each other', async () => {
  const holder = { session: await open() };
  let attempts = 0;
  const caches = perRun('caches', async () => {
    attempts += 1;
    if (attempts === 1) throw new Undecided('the network gave no answer');
    return attempts;
  });
  const list = perRun('list', (by: HasSession) => caches(by).catch(() => 'of nothing'));
  const lasting = perRun('lasting', (by: HasSession) => list(by), { lasting: true });
  expect(await lasting(holder)).toBe('of nothing');
  expect(await list(holder)).toBe(2);
  expect(await list(holder)).toBe(2);
  expect(await lasting(holder)).toBe('of nothing');
});
