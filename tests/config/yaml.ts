/** For the tests of `targets.yaml`: configurations as text, and the messages about their mistakes. */
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { allServices } from '../../lib/check/services.ts';
import { loadTarget } from '../../lib/config/load.ts';
import { UsageError } from '../../lib/model/usage-error.ts';
import { temporaryFile } from '../lib/conform.ts';

/** A secret that is in every file and must not be in any message. */
export const SECRET = 'hunter2-hunter2';

export const SHIPPING = `
    shipping:
      baseUrl: https://api.example
      clientId: me
      clientSecret: ${SECRET}`;

/** Returns the placeholder for the value of an environment variable, as it is written in the file. */
export const variable = (name: string): string => `$\{${name}}`;

/** Returns a file with one target, `mine`. The target begins on line 2, its service on line 3. */
export const mine = (body: string): string => `targets:\n  mine:${body}\n`;

export const load = (yaml: string, name?: string, env: NodeJS.ProcessEnv = {}) =>
  loadTarget(temporaryFile('targets.yaml', yaml), name, env, allServices());

/** Loads a wrong configuration and returns the message about its mistake, without the folder of the file. */
export function complaint(yaml: string, name?: string, env: NodeJS.ProcessEnv = {}): string {
  const file = temporaryFile('targets.yaml', yaml);
  try {
    loadTarget(file, name, env, allServices());
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message.replaceAll(`${dirname(file)}/`, '');
  }
  throw new Error('no mistake was found');
}
