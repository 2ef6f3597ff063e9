// Re-exports what the apps need of the layers below, so that they depend on this layer only.
export type { Dropped, Part, PolicyInput } from '@spillway/engine';
export {
  defaultPolicy,
  factsField,
  isExactNumber,
  readerToolNamed,
  readerToolNames,
  readMessage,
  toolIn,
  toolNameOf,
  presets,
  SpillwayError,
  type ErrorCode,
  type FieldError,
  type FormatName,
  type ReaderTool,
  type ReaderToolNames,
} from '@spillway/engine';
export { openQueues } from '@spillway/jobs';
export { asProject, asUnavailable } from '@spillway/store';
export type {
  AttemptRow,
  AuditRow,
  CallerRow,
  GenerationRow,
  DeliveryRow,
  EventPosition,
  EventRow,
  KeyRow,
  ListedOutput,
  ListedThreadRow,
  OutputRow,
  ProjectAttemptRow,
  SummaryRow,
  ThreadCounts,
  ThreadFilter,
  GrownThread,
  ThreadRow,
  ThreadTokenRow,
  UpstreamRow,
  WebhookRow,
} from '@spillway/store';

export * from './env.js';
export { portRefusal } from './environment/port-refusal.js';
export { frameworkLog } from './log.js';
export * from './runtime.js';
export * from './timing.js';
export { actorOf } from './access/actor.js';
export * from './access/audit-log.js';
export * from './access/authenticate.js';
export * from './access/bootstrap-when-available.js';
export { eraseProject } from './access/erase-projects.js';
export * from './access/keys.js';
export {
  operatorChallenge,
  operatorCheck,
  operatorRefusal,
  type OperatorCheck,
} from './access/operator-password.js';
export * from './access/pause-compaction.js';
export * from './access/projects.js';
export { refusalLog, type Refusal, type RefusalLog } from './access/refusal-log.js';
export { sealStoredSecrets } from './access/seal-stored-secrets.js';
export { secretBox } from './access/secret-box.js';
export * from './access/sessions.js';
export { RateLimited, takeOrRefuse } from './access/throttle/take-or-refuse.js';
export * from './access/thread-tokens.js';
export { TrustedCallers } from './access/trusted-callers.js';
export { backUpThread } from './backups/back-up-thread.js';
export { restoreThread, type RestoredThread } from './backups/restore-thread.js';
export * from './chat/chat.js';
export * from './compaction/compact-fairly.js';
export * from './compaction/compact-thread.js';
export * from './compaction/list-project-attempts.js';
export * from './compaction/preview-compaction.js';
export * from './compaction/reconcile-threads.js';
export * from './compaction/request-compaction.js';
export * from './compaction/unpark-after-start.js';
export { warmUp } from './compaction/warm-up.js';
export type { PostedUsage, UsageOutcome } from './context/calibrate-thread.js';
export { contextSince, type ContextChange, type ReplayReason } from './context/context-since.js';
export type { ContextQuery, ReadContext } from './context/context.js';
export { withCurrentBudget } from './context/current-budget.js';
export * from './context/fixed-content.js';
export { KeptThreads } from './context/kept-threads.js';
export { messageJson } from './context/message-json.js';
export * from './context/read-context.js';
export * from './context/wait-for-fold.js';
export * from './events/event-feed.js';
export * from './events/event.js';
export * from './events/list-thread-events.js';
export * from './events/watch-callers.js';
export { currentFidelity, storedFidelity, type ShownFidelity } from './fidelity/fidelity.js';
export * from './instructions/decide-instruction.js';
export * from './instructions/list-instructions.js';
export * from './messages/append-messages.js';
export type { Appended, AppendedMessage, AppendInput } from './messages/appended.js';
export * from './messages/erase-message.js';
export * from './messages/get-message.js';
export { holdMessages, holdOutput, type Held } from './messages/hold-messages.js';
export { heldIn } from './messages/holds.js';
export * from './messages/list-messages.js';
export { withMediaRoom } from './messages/media/media-room.js';
export * from './messages/pin-message.js';
export type { IncomingMessage } from './messages/prepare-messages.js';
export * from './messages/rewind-thread.js';
export { metricCatalogue, type MetricName, type MetricSpec } from './metrics/catalogue.js';
export { Metrics, textOfReports, type MetricsReport } from './metrics/metrics.js';
export { reportMetrics, scrapeMetrics } from './metrics/scrape.js';
export * from './operations/check-readiness.js';
export { watchStorage, type StorageState } from './operations/storage-watch.js';
export * from './operations/held-amounts.js';
export * from './operations/model-health.js';
export * from './operations/outage-log.js';
export * from './operations/read-attention.js';
export * from './operations/read-queue.js';
export * from './operations/read-system.js';
export * from './operations/stop-process.js';
export * from './operations/version.js';
export * from './outputs/find-stored-outputs.js';
export * from './outputs/grep-cursor.js';
export * from './outputs/grep-output.js';
export * from './outputs/lines-asked.js';
export * from './outputs/list-outputs.js';
export * from './outputs/list-project-outputs.js';
export type { StagedOutput } from './outputs/offload-output.js';
export * from './outputs/outline-output.js';
export * from './outputs/pin-output.js';
export { readLines, type Excerpt, type LinesAsked } from './outputs/read-lines.js';
export * from './outputs/read-output.js';
export * from './outputs/read-path.js';
export { factsOnThread, previewOnThread, runOnThread } from './outputs/text-work/pool.js';
export * from './outputs/uploads/upload-output.js';
export type { Page } from './paging/cursor.js';
export type { ListQuery } from './paging/page-of-whole.js';
export * from './policies/models.js';
export {
  changePolicy,
  getPolicy,
  getThreadPolicy,
  previewPolicy,
  type Explained,
  type ExplainedPolicy,
  type IfVersion,
  type PolicyView,
} from './policies/policies.js';
export { refuseGuarded } from './policies/policy-locks.js';
export { SettingsCache } from './policies/settings.js';
export type { ShownSettings } from './policies/shown-settings.js';
export * from './policies/simulate-policy.js';
export { errorStatus } from './problems/error-status.js';
export { problemOf } from './problems/problem.js';
export * from './proxies/proxies.js';
export { holdTool } from './reader-tools/hold-tool.js';
export { listThreadsTool } from './reader-tools/list-threads-tool.js';
export { readContextTool } from './reader-tools/read-context-tool.js';
export type { ReaderAnswer } from './reader-tools/reader-answer.js';
export type { CallStyle, ReaderCall, ReaderThread } from './reader-tools/reader-call.js';
export { mistake, runReaderTool } from './reader-tools/run-reader-tool.js';
export * from './search/search-project.js';
export * from './search/search-thread.js';
export * from './summaries/check-facts.js';
export * from './summaries/decide-proposal.js';
export * from './summaries/list-summaries.js';
export * from './summaries/quarantine-summary.js';
export * from './summaries/restore-summary.js';
export * from './summaries/summary-slots.js';
export * from './summaries/undo-summary.js';
export * from './summaries/write-summary.js';
export * from './sweep/sweep-outputs.js';
export * from './sweep/sweep-storage.js';
export * from './threads/change-thread.js';
export * from './threads/create-thread.js';
export * from './threads/erase-thread.js';
export * from './threads/export-thread.js';
export * from './threads/fork-thread.js';
export * from './threads/get-thread.js';
export * from './threads/list-threads.js';
export * from './threads/map-thread.js';
export * from './threads/put-thread.js';
export * from './threads/thread-input.js';
export * from './threads/thread-warnings.js';
export { startRequestSpan } from './tracing/request-span.js';
export { fail as failSpan, inSpan } from './tracing/spans.js';
export { startTracing } from './tracing/start-tracing.js';
export { ModelCallRoom } from './upstreams/model-call-room.js';
export type { UpstreamProvider } from './upstreams/provider-apis.js';
export * from './upstreams/upstreams.js';
export { countServed } from './usage/count-usage.js';
export type { KeyOfToday } from './usage/key-budgets.js';
export * from './usage/read-project-usage.js';
export * from './usage/read-usage.js';
export { UsageCounter } from './usage/usage-counter.js';
export type { UsageNumbers } from './usage/usage-numbers.js';
export * from './usage/write-usage.js';
export * from './webhooks/deliveries.js';
export { overlapUntil } from './webhooks/webhook-secret.js';
export * from './webhooks/webhook-sender.js';
export * from './webhooks/webhooks.js';
