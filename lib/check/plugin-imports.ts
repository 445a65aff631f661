/**
 * Module customization hooks of Node. When a plugin imports `api-conformance`, it gets the copy of this
 * package that is running, and not one that is installed beside the plugin: suites that it defines with
 * another copy would be unknown here.
 */
import { pathToFileURL } from 'node:url';
import { codeFile } from '../model/paths.ts';

/** This package's entry points, by the names under which plugins import them. */
const OWN: Readonly<Record<string, string>> = {
  'api-conformance': pathToFileURL(codeFile('lib/index')).href,
  'api-conformance/suite': pathToFileURL(codeFile('lib/suite')).href,
};

type Resolved = { url: string; shortCircuit?: boolean };

/**
 * The hook that resolves imports:
 * https://nodejs.org/docs/latest-v20.x/api/module.html#resolvespecifier-context-nextresolve
 */
export async function resolve(
  specifier: string,
  context: unknown,
  next: (specifier: string, context: unknown) => Promise<Resolved>,
): Promise<Resolved> {
  const url = OWN[specifier];
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
}
