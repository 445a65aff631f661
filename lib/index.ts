/**
 * The programming interface of `api-conformance`, with which programs run suites, read reports, prove suites
 * and describe services of their own. What suite files import is in `api-conformance/suite`.
 */

export { loadTarget } from './api/load-target.ts';
export { type ProofOptions, prove } from './api/prove.ts';
export { run } from './api/run.ts';
export type { RunEnd, RunEvents, RunSettings } from './api/settings.ts';
export type { ServiceCleanup, Undoer } from './check/cleanup.ts';
export type { CheckContext } from './check/context.ts';
export type { JournalEntry } from './check/journal/journal.ts';
export type { Preflight, PreflightFinding } from './check/preflight/finding.ts';
export { defineService, type Service } from './check/service.ts';
export { addPlugins, allServices, serviceOf } from './check/services.ts';
export type { Session } from './check/session.ts';
export { pluginFolders } from './config/plugins.ts';
export { type ConfigurationFile, type ServiceConfiguration, trimmedUrl } from './config/service.ts';
export { type ConfigSource, isTrusted } from './config/trust.ts';
export type { HookConfig, ResolvedTarget, RunConfig, RunOptions, ServiceConfigs } from './config/types.ts';
export { handlerTransport } from './http/handler-transport.ts';
export type { Transport, WireRequest, WireResponse } from './http/transport.ts';
export { allCatalogues, findRequirement } from './model/catalogue/registry.ts';
export type { Catalogue, Requirement } from './model/catalogue/types.ts';
export type { CheckResult, Effect, Exchange, Level, RunReport, Verdict } from './model/results.ts';
export { UsageError } from './model/usage-error.ts';
export { Blocked, Skipped, Undecided } from './model/verdict.ts';
export type { ProofModule } from './prove/load.ts';
export type { CaseOutcome, Finding, ProofCase } from './prove/model.ts';
export type { Proof } from './prove/prove.ts';
export { ReportsNotWritten } from './report/not-written.ts';
export type { Clock, ReferenceModule } from './run/embedded.ts';
