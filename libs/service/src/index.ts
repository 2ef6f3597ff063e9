// What the apps need of the floors below, so that they depend on this one alone.
export { refuseGuarded } from './policy-locks.js';
export type { Dropped, Part, PolicyInput } from '@spillway/engine';
export {
  defaultPolicy,
  errorStatus,
  readMessage,
  presets,
  SpillwayError,
  type ErrorCode,
  type FieldError,
  type FormatName,
} from '@spillway/engine';
export type { Position } from '@spillway/blobs';
export { asProject, asUnavailable } from '@spillway/store';
export type {
  AttemptRow,
  AuditRow,
  CallerRow,
  GenerationRow,
  DeliveryRow,
  EventPlace,
  EventRow,
  KeyRow,
  ListedOutput,
  ListedThreadRow,
  OutputRow,
  ProjectAttemptRow,
  SummaryRow,
  ThreadCounts,
  ThreadFilter,
  ThreadRow,
  WebhookRow,
} from '@spillway/store';

export * from './audit-log.js';
export * from './authenticate.js';
export * from './append-messages.js';
export type { Appended, AppendedMessage, AppendInput } from './appended.js';
export type { PostedUsage, UsageOutcome } from './calibrate-thread.js';
export * from './change-thread.js';
export * from './chat.js';
export * from './check-facts.js';
export * from './check-readiness.js';
export * from './compact-fairly.js';
export * from './compact-thread.js';
export { countServed } from './count-usage.js';
export * from './create-thread.js';
export type { Page } from './cursor.js';
export * from './env.js';
export * from './erase-message.js';
export * from './erase-thread.js';
export * from './export-thread.js';
export * from './events/event-feed.js';
export * from './events/event.js';
export * from './events/list-thread-events.js';
export * from './events/watch-callers.js';
export * from './find-stored-outputs.js';
export * from './get-thread.js';
export * from './grep-output.js';
export * from './keys.js';
export * from './list-messages.js';
export * from './list-outputs.js';
export * from './list-project-attempts.js';
export * from './list-project-outputs.js';
export * from './list-summaries.js';
export * from './list-threads.js';
export * from './map-thread.js';
export * from './models.js';
export * from './outline-output.js';
export * from './pin-message.js';
export * from './pin-output.js';
export {
  changePolicy,
  getPolicy,
  getThreadPolicy,
  previewPolicy,
  type Explained,
  type ExplainedPolicy,
  type IsMeant,
  type PolicyView,
} from './policies.js';
export type { IncomingMessage } from './prepare-messages.js';
export * from './preview-compaction.js';
export * from './quarantine-summary.js';
export { withCurrentBudget } from './current-budget.js';
export * from './fixed-content.js';
export * from './model-health.js';
export * from './read-attention.js';
export type { ReadContext } from './build-context.js';
export * from './read-context.js';
export * from './serve-context.js';
export * from './read-lines.js';
export * from './read-output.js';
export * from './read-queue.js';
export { previewOnThread } from './text-work/pool.js';
export * from './read-usage.js';
export { refusalLog, type Refusal, type RefusalLog } from './refusal-log.js';
export * from './read-system.js';
export * from './request-compaction.js';
export * from './restore-summary.js';
export * from './retry-threads.js';
export * from './runtime.js';
export { secretBox } from './secret-box.js';
export * from './search/search-thread.js';
export * from './sessions.js';
export type { ShownSettings } from './shown-settings.js';
export * from './simulate-policy.js';
export * from './sweep-outputs.js';
export * from './sweep-storage.js';
export { SettingsCache } from './settings.js';
export * from './sweep-threads.js';
export * from './unpark-after-start.js';
export type { UsageNumbers } from './usage-numbers.js';
export { UsageCounter } from './usage-counter.js';
export * from './write-usage.js';
export * from './webhooks/deliveries.js';
export * from './webhooks/webhook-sender.js';
export * from './webhooks/webhooks.js';
export type { StagedOutput } from './offload-output.js';
export { sealStoredSecrets } from './webhooks/webhook-secret.js';
