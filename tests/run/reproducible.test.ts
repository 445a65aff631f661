/** The same seed and the same answers give the same report, byte for byte, except for times. */

import { beforeAll, expect, test } from 'vitest';
import { Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import { catalogueOf } from '../../lib/model/catalogue/registry.ts';
import { codeFile } from '../../lib/model/paths.ts';
import { tool } from '../../lib/model/tool.ts';
import { loadCases } from '../../lib/prove/load.ts';
import { prepare } from '../../lib/prove/target.ts';
import { json } from '../../lib/report/index.ts';
import { aggregate } from '../../lib/run/aggregate.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';
import { type Tape, useTape } from '../transports/replay.ts';

const SUITE = 'oauth-token';
const TIMES = /("(?:startedAt|durationMs|waitedMs)": ?)[^,}\n]*/g;
/** Fields whose presence depends on how long requests take; they are removed completely. */
const TIMED = /"(?:passedMs|atOnce)": ?[^,}\n]*,/g;

let checks: DefinedCheck[];
beforeAll(async () => {
  checks = await checksOfSuites([SUITE]);
});

test.each(['shipping/reference', 'shipping/revoke-not-bound'])(
  '%s',
  async (caseId) => {
    const input = (await prepare([SUITE]))((await loadCases()).find(({ id }) => id === caseId)!);
    const tape: Tape = { answers: [], order: [] };
    const run = async (making: boolean): Promise<string> => {
      useTape(tape, making, input.transport.params);
      const transport = { module: codeFile('tests/transports/replay'), params: {} };
      const session = await Session.open({
        ...input,
        transport,
        runId: 'f2a1c7f0-3c1d-4a57-9a43-0d6f0b8f1e22',
      });
      const results = [];
      for (const check of checks) results.push(await check.run(session));
      await session.close();
      const report = aggregate([catalogueOf(SUITE)], results, {
        tool: tool(),
        target: { name: caseId, urls: {} },
        startedAt: new Date().toISOString(),
        durationMs: performance.now(),
        seed: 1,
        strict: false,
        requests: session.http.recorder.count,
      });
      return json(report);
    };
    const first = await run(true);
    expect(tape.answers.length).toBeGreaterThan(100);
    const second = await run(false);
    // Forged tokens contain the time, and one of them is signed with a new key.
    const withoutTimes = (text: string) =>
      text
        .replaceAll(TIMED, '')
        .replaceAll(TIMES, '$1"…"')
        .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '…')
        .split('\n');
    const [a, b] = [withoutTimes(first), withoutTimes(second)];
    expect(b.length).toBe(a.length);
    expect(b.flatMap((line, i) => (line === a[i] ? [] : [[a[i], line]])).slice(0, 5)).toEqual([]);
  },
  60_000,
);
