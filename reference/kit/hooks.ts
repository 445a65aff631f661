/** The hooks that the reference offers besides its services (docs/hooks.md). */

import type { Clock } from './clock.ts';
import { jsonResponse } from './response.ts';
import type { Handler } from './service.ts';

export interface HookOptions {
  clock: Clock;
  /**
   * Handles `POST /hooks/seed`: takes its JSON body and returns that of the answer. Throws where it cannot.
   */
  seed?: (body: unknown) => unknown;
  /**
   * Handles `POST /hooks/unseed`: takes its JSON body and returns that of the answer. Throws where it cannot.
   */
  unseed?: (body: unknown) => unknown;
}

/**
 * Moves the clock by `{"advanceSeconds": n}`, n >= 0; 0 only reads it. Throws a TypeError for other bodies.
 */
function advance(clock: Clock, body: unknown): unknown {
  const seconds = (body as { advanceSeconds?: unknown } | null)?.advanceSeconds;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) {
    throw new TypeError('advanceSeconds is not a number of 0 or more');
  }
  clock.advance(seconds * 1000);
  return { now: new Date(clock.now()).toISOString() };
}

/**
 * Serves `POST /clock`, `/seed` and `/unseed` with JSON in and out, with or without `/hooks` in front. An
 * unusable body is answered with 400 and a hook that is not offered with 404, both with a `message`.
 */
export function createHooks(options: HookOptions): Handler {
  const hooks: Record<string, ((body: unknown) => unknown) | undefined> = {
    clock: (body) => advance(options.clock, body),
    seed: options.seed,
    unseed: options.unseed,
  };
  return async (request) => {
    const name = /^(?:\/hooks)?\/(clock|seed|unseed)$/.exec(new URL(request.url).pathname)?.[1];
    const hook = name === undefined ? undefined : hooks[name];
    if (hook === undefined || request.method !== 'POST') {
      return jsonResponse({ message: 'there is no such hook' }, { status: 404 });
    }
    try {
      return jsonResponse((await hook(JSON.parse(await request.text()))) ?? {});
    } catch (error) {
      return jsonResponse(
        { message: error instanceof Error ? error.message : String(error) },
        { status: 400 },
      );
    }
  };
}
