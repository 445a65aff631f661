/** Not a suite: the first file of a run with plugins. Loads them in the worker, as the main process did. */
import { inject } from 'vitest';
import { addPlugins } from '../check/services.ts';

await addPlugins(inject('conform').plugins ?? []);
