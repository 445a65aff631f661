import type { Body } from '../../../lib/http/body.ts';
import { type Kind, PROPERTY } from '../vocabulary.ts';

/** The integer that a setting says; undefined when it is malformed. */
export function settingIn(body: Body | undefined, kind: Kind): number | undefined {
  const json = body && 'json' in body ? (body.json as Record<string, unknown> | null) : undefined;
  const value = json?.[PROPERTY[kind]];
  return Number.isInteger(value) ? (value as number) : undefined;
}
