// What the apps need of the floors below, so that they depend on this one alone.
export type { Dropped } from '@spillway/engine';
export {
  errorStatus,
  SpillwayError,
  type ErrorCode,
  type FieldError,
  type FormatName,
} from '@spillway/engine';
export { asProject, asUnavailable } from '@spillway/store';
export type {
  AttemptRow,
  AuditRow,
  CallerRow,
  KeyRow,
  OutputRow,
  SummaryRow,
  ThreadRow,
} from '@spillway/store';

export * from './audit-log.js';
export * from './authenticate.js';
export * from './append-messages.js';
export type { Appended, AppendedMessage, AppendInput } from './appended.js';
export * from './change-thread.js';
export * from './chat.js';
export * from './check-facts.js';
export * from './check-readiness.js';
export * from './compact-fairly.js';
export * from './compact-thread.js';
export * from './create-thread.js';
export type { Page } from './cursor.js';
export * from './env.js';
export * from './erase-message.js';
export * from './erase-thread.js';
export * from './find-stored-outputs.js';
export * from './get-thread.js';
export * from './grep-output.js';
export * from './keys.js';
export * from './list-messages.js';
export * from './list-outputs.js';
export * from './list-summaries.js';
export * from './list-threads.js';
export * from './outline-output.js';
export * from './pin-output.js';
export * from './policies.js';
export type { IncomingMessage } from './prepare-messages.js';
export * from './preview-compaction.js';
export * from './quarantine-summary.js';
export * from './read-context.js';
export * from './read-output.js';
export * from './read-queue.js';
export * from './request-compaction.js';
export * from './restore-summary.js';
export * from './runtime.js';
export * from './search-thread.js';
export * from './sessions.js';
export * from './sweep-outputs.js';
export * from './sweep-storage.js';
export { SettingsCache } from './settings.js';
export * from './sweep-threads.js';
export * from './unpark-after-start.js';
