/** The threads of the proof: a case that never ends does not keep the others from being run. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CaseInput, FromCases, ToCases } from '../../lib/prove/cases-thread.ts';
import { runCases } from '../../lib/prove/workers.ts';
import type { openThread, Thread, ThreadListener } from '../../lib/run/thread.ts';

let [opened, closed] = [0, 0];

beforeEach(() => {
  [opened, closed] = [0, 0];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

/** Opens a thread in which the case `hangs` never ends, and `kills` ends the thread. */
function open(): Thread<ToCases, FromCases> {
  opened += 1;
  let listener: ThreadListener<FromCases> | undefined;
  return {
    listen(given) {
      listener = given;
      queueMicrotask(() => given.message({ ready: true }));
    },
    post({ run }) {
      const { id } = run.facts;
      if (id === 'kills') listener?.death('out of memory');
      if (id === 'hangs' || id === 'kills') return;
      listener?.message({ outcome: { id } } as FromCases);
      listener?.message({ ready: true });
    },
    async close() {
      closed += 1;
    },
  };
}

const cases = (...ids: string[]) => ids.map((id) => ({ facts: { id } }) as CaseInput);
const options = { suites: [], jobs: 1, references: {}, lanes: {}, reached: true };

async function run(...ids: string[]): Promise<{ ended: string[]; problems: string[] }> {
  const ended: string[] = [];
  const given = options as unknown as Parameters<typeof runCases>[1];
  const running = runCases(cases(...ids), given, ({ id }) => ended.push(id), open as typeof openThread);
  await vi.advanceTimersByTimeAsync(600_000);
  return { ended, problems: await running };
}

test('a case that does not end is told, and the others run in another thread', async () => {
  expect(await run('a', 'hangs', 'b')).toEqual({
    ended: ['a', 'b'],
    problems: ['hangs: did not end within 10 minutes'],
  });
  expect([opened, closed]).toEqual([2, 2]);
});

test('a thread that dies is told', async () => {
  expect(await run('a', 'kills', 'b')).toEqual({
    ended: ['a'],
    problems: ['a thread of the proof ended before its cases (out of memory)'],
  });
  expect([opened, closed]).toEqual([1, 1]);
});
