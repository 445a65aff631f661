/** Checks that run side by side: which may run together, and in which order. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { defineService, type Service } from '../../lib/check/service.ts';
import { type RunInput, Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import { mayRunBeside, type Phase, type Touches } from '../../lib/check/touches.ts';
import type { Transport } from '../../lib/http/transport.ts';
import { inOrderOfRealTime } from '../../lib/run/lane-order.ts';
import { inOrder, type LaneOptions, Lanes } from '../../lib/run/lanes.ts';

const input = (): RunInput => ({
  runId: randomUUID(),
  target: { name: 'none', embedded: false, hooks: {} },
  options: { suites: [], grep: [], effects: ['read'], maxWaitMs: 0, timeoutMs: 1, seed: 1, strict: false },
});

const service: Service = defineService({
  name: 'none',
  title: 'None',
  suites: ['one'],
  schema: {},
  normalise: (config: object) => config,
  urls: () => ({}),
  signOfLife: async () => {},
});

const check = (id: string, touches: Touches = {}, phase: Phase = 'usual'): DefinedCheck => ({
  id,
  suite: 'one',
  requirements: [],
  effects: 'read',
  touches,
  phase,
  alive: async () => {},
  service,
  run: async () => {
    throw new Error('not run here');
  },
});

const OPTIONS: LaneOptions = { concurrency: 4, order: 'planned', seed: 1 };
/** A target whose clock can be moved. */
const movable = (wire: Transport): Transport => ({ ...wire, moveClock: () => 0 });
/** Lets everything that can go on do so. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what is touched', () => {
  test.each<[Touches, Touches, boolean]>([
    [{}, { a: 'alone' }, true],
    [{ a: 'change' }, { a: 'change' }, true],
    [{ a: 'still' }, { a: 'still' }, true],
    [{ a: 'change' }, { a: 'still' }, false],
    [{ a: 'alone' }, { a: 'alone' }, false],
    [{ a: 'alone' }, { b: 'alone' }, true],
    [{ a: 'alone', b: undefined }, { b: 'alone' }, true],
    [{ clock: 'change' }, { clock: 'still' }, true],
    [{ clock: 'change' }, { clock: 'move' }, false],
    [{ clock: 'move' }, { clock: 'move' }, true],
    [{ clock: 'measure' }, { clock: 'still' }, true],
    [{ clock: 'measure' }, { clock: 'change' }, false],
    [{ clock: 'measure' }, { clock: 'measure' }, false],
    [{ clock: 'pace' }, { clock: 'change' }, true],
    [{ clock: 'pace' }, { clock: 'move' }, false],
    [{ clock: 'alone' }, { clock: 'still' }, false],
    [{}, { clock: 'alone' }, true],
  ])('%j beside %j: %s', (one, other, may) => {
    expect([mayRunBeside(one, other), mayRunBeside(other, one)]).toEqual([may, may]);
  });
});

describe('lanes', () => {
  /** Runs checks that end when they are told to; gives which are running. */
  async function running(
    checks: DefinedCheck[],
    options = OPTIONS,
    over: (wire: Transport) => Transport = (wire) => wire,
  ) {
    const session = await Session.open(input(), over);
    const now = new Map<string, () => void>();
    const lanes = new Lanes<DefinedCheck, string>(inOrder(checks, options), options);
    let stopped = false;
    const done = lanes.start(
      session,
      ({ id }) =>
        new Promise((end) => {
          now.set(id, () => {
            now.delete(id);
            end(id);
          });
        }),
      () => stopped,
    );
    await turn();
    return {
      done,
      lanes,
      session,
      now: () => [...now.keys()],
      stop: () => {
        stopped = true;
      },
      end: async (id: string) => {
        now.get(id)?.();
        await turn();
      },
    };
  }

  test('run as many as they may, and skip checks that may not run beside the running ones', async () => {
    const checks = [
      check('A', { list: 'still' }),
      check('B', { list: 'change' }),
      check('C', { list: 'still' }),
      check('D'),
      check('E'),
      check('F'),
    ];
    const run = await running(checks);
    expect(run.now()).toEqual(['A', 'C', 'D', 'E']);
    await run.end('A');
    expect(run.now()).toEqual(['C', 'D', 'E', 'F']);
    await run.end('C');
    expect(run.now()).toEqual(['D', 'E', 'F', 'B']);
    for (const id of ['B', 'D', 'E', 'F']) await run.end(id);
    await run.done;
    expect(await run.lanes.result(checks[1]!)).toBe('B');
  });

  test('let a check that needs several things alone have them before those behind it', async () => {
    const ids = ['both 1', 'both 2', 'x 1', 'x 2', 'y 1', 'y 2'];
    const touches = (id: string): Touches => ({
      ...(!id.startsWith('y') && { x: 'alone' as const }),
      ...(!id.startsWith('x') && { y: 'alone' as const }),
    });
    const run = await running([check('first', { x: 'still' }), ...ids.map((id) => check(id, touches(id)))]);
    expect(run.now()).toEqual(['first']);
    await run.end('first');
    expect(run.now()).toEqual(['both 1']);
    await run.end('both 1');
    expect(run.now()).toEqual(['both 2']);
    await run.end('both 2');
    expect(run.now()).toEqual(['x 1', 'y 1']);
  });

  test('run the foundation phase of a suite before anything else of it', async () => {
    const run = await running([check('A'), check('B', {}, 'foundation'), check('C', {}, 'late')]);
    expect(run.now()).toEqual(['B']);
    await run.end('B');
    expect(run.now()).toEqual(['A', 'C']);
  });

  test('start no check after they are stopped', async () => {
    const run = await running([check('A', { x: 'alone' }), check('B', { x: 'alone' })]);
    run.stop();
    await run.end('A');
    await run.done;
    expect(run.now()).toEqual([]);
  });

  test('begin with the checks that exclude most others; one lane keeps the order of definition', () => {
    const [b, d] = [check('B', { x: 'alone' }), check('D', { x: 'alone' })];
    const checks = [check('A'), b, check('C', {}, 'late'), d];
    const ids = (options: LaneOptions) => inOrder(checks, options).map(({ id }) => id);
    expect(ids(OPTIONS)).toEqual(['B', 'D', 'A', 'C']);
    expect(ids({ ...OPTIONS, concurrency: 1 })).toEqual(['A', 'B', 'D', 'C']);
  });

  test('what needs nothing, not even a certain time, begins last; what the last checks need alone before other phases', () => {
    const checks = [
      check('A'),
      check('B', { clock: 'still' }),
      check('C', { clock: 'move', y: 'alone' }),
      check('D', {}, 'silences'),
      check('E', { x: 'alone' }, 'late'),
      check('F', {}, 'late'),
    ];
    expect(inOrder(checks, OPTIONS).map(({ id }) => id)).toEqual(['B', 'C', 'A', 'E', 'D', 'F']);
  });

  test('what lets hours pass at the end waits for all that mind', async () => {
    const run = await running(
      [check('A', { clock: 'still' }), check('B', { clock: 'move' }, 'late'), check('C', {}, 'late')],
      OPTIONS,
      movable,
    );
    expect(run.now()).toEqual(['A', 'C']);
    await run.end('A');
    expect(run.now()).toEqual(['C', 'B']);
  });

  test('a check that waits for one behind it does not keep that from beginning', async () => {
    const checks = [
      check('A', { clock: 'move', x: 'alone', y: 'alone' }, 'late'),
      check('B', { clock: 'still', x: 'alone' }, 'late'),
    ];
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const run = await running(checks, { ...OPTIONS, order: 'random', seed }, movable);
      expect(run.now()).toEqual(['B']);
      await run.end('B');
      expect(run.now()).toEqual(['A']);
    }
  });

  test('what leaves traces on something waits for all that use it', async () => {
    const run = await running([check('A', { x: 'change' }, 'late'), check('B', { x: 'alone' }), check('C')]);
    expect(run.now()).toEqual(['B', 'C']);
    await run.end('B');
    expect(run.now()).toEqual(['C', 'A']);
  });

  test('where the clock cannot be moved, others run beside those that let time pass', () => {
    const checks = [check('A'), check('B', { x: 'change' }), check('C', { clock: 'move', x: 'alone' })];
    const changing = checks.map((each) => ({
      ...each,
      touches: { clock: 'change' as const, ...each.touches },
    }));
    const order = (sorted: readonly DefinedCheck[]) => sorted.map(({ id }) => id).join('');
    expect(order(inOrder(changing, OPTIONS))).toMatch(/C$/);
    expect(order(inOrderOfRealTime(inOrder(changing, OPTIONS), OPTIONS))).toMatch(/^C/);
    const random = { ...OPTIONS, order: 'random' } as const;
    expect(inOrderOfRealTime(changing, random)).toBe(changing);
  });

  test('run the checks of a service one by one where they cannot share the target', async () => {
    const own = defineService({ ...service, name: 'own', sharing: async () => ({ oneByOne: true }) });
    const run = await running([{ ...check('A'), service: own }, { ...check('B'), service: own }, check('C')]);
    expect(run.now()).toEqual(['A', 'C']);
    await run.end('A');
    expect(run.now()).toEqual(['C', 'B']);
  });

  test('share what the target has any number of', async () => {
    const own = defineService({ ...service, sharing: async () => ({ plenty: ['x'] }) });
    const some = ['A', 'B'].map((id) => ({ ...check(id, { x: 'alone' }), service: own }));
    expect((await running(some)).now()).toEqual(['A', 'B']);
  });

  test('let a check do something while no other one runs', async () => {
    const run = await running([check('A'), check('B'), check('C')], { ...OPTIONS, concurrency: 2 });
    const log: string[] = [];
    const alone = run.session.alone(async () => {
      log.push(run.now().join(' '));
    });
    await turn();
    expect(log).toEqual([]);
    // A is the one that asked; C does not begin in the place of B.
    await run.end('B');
    await alone;
    expect(log).toEqual(['A']);
    await run.end('A');
    expect(run.now()).toEqual(['C']);
  });

  test('run every check in random order, the same for the same seed', () => {
    const checks = Array.from({ length: 30 }, (_, i) => check(`C${i}`));
    const ids = (seed: number) => inOrder(checks, { ...OPTIONS, order: 'random', seed }).map(({ id }) => id);
    expect(ids(1)).toEqual(ids(1));
    expect(ids(1)).not.toEqual(ids(2));
    expect(ids(1).toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
  });

  test('in random order too, what leaves traces comes last', () => {
    const checks = Array.from({ length: 30 }, (_, i) => check(`C${i}`, {}, i < 5 ? 'late' : 'usual'));
    for (const seed of [1, 2, 3]) {
      const phases = inOrder(checks, { ...OPTIONS, order: 'random', seed }).map(({ phase }) => phase);
      expect(phases.slice(-5)).toEqual(Array(5).fill('late'));
    }
  });
});
