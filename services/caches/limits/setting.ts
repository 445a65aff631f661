import type { Body } from '../../../lib/http/body.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import { type Kind, PROPERTY } from '../vocabulary.ts';

/** Returns the integer in the body of a setting, or undefined if the body is malformed. */
export function settingIn(body: Body | undefined, kind: Kind): number | undefined {
  const json = body && 'json' in body ? (body.json as Record<string, unknown> | null) : undefined;
  const value = json?.[PROPERTY[kind]];
  return Number.isInteger(value) ? (value as number) : undefined;
}

/** Does `work`. If it throws `Blocked`, does `repair`, which may remove the cause, and `work` again. */
export async function onceMore(work: () => Promise<void>, repair: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    await repair();
    await work();
  }
}
