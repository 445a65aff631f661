/**
 * Everything that a suite file imports: `import { defineSuite } from 'api-conformance/suite'`. Other code
 * should not use it.
 */
export { CheckContext } from './check/context.ts';
export type { Expect } from './check/expect.ts';
export { type HasSession, perRun, perRunOf } from './check/per-run.ts';
export type { Session } from './check/session.ts';
export {
  type Check,
  type CheckOptions,
  defineSuite,
  type Fixtures,
  type SuiteOptions,
} from './check/suite.ts';
export type { Answer } from './http/answer.ts';
export type { Call, HttpClient } from './http/client.ts';
export { Blocked, Skipped, Undecided } from './model/verdict.ts';
