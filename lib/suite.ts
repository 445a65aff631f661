/** What suites are written with: `import { defineSuite } from 'api-conformance/suite'`. For suite files only. */
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
