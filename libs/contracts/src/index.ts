export { answerExamples } from './answer-examples.js';
export * from './operations/attention.js';
export * from './access/audit.js';
export * from './messages/chat.js';
export * from './messages/gemini.js';
export {
  anthropicRequest,
  chatCompletionRequest,
  providerAnswer,
  proxyHeaders,
  responseRequest,
  type ProxiedRequest,
} from './messages/proxied.js';
export * from './compaction/compaction.js';
export * from './compaction/compaction-preview.js';
export * from './compaction/queue.js';
export * from './compaction/server-pause.js';
export * from './messages/context.js';
export * from './messages/context-options.js';
export { messageFormat } from './formats/message-format.js';
export * from './threads/export.js';
export { threadRestored } from './threads/backup.js';
export * from './events/event.js';
export * from './compaction/facts.js';
export * from './compaction/fidelity.js';
export * from './operations/health.js';
export * from './instructions/instruction.js';
export * from './access/key.js';
export * from './access/project.js';
export * from './access/thread-token.js';
export * from './list.js';
export * from './tools/mcp-answers.js';
export * from './tools/mcp-tools.js';
export * from './tools/reader-tools.js';
export * from './formats/foreign.js';
export { openaiMessage } from './formats/openai.js';
export * from './threads/map.js';
export * from './messages/message.js';
export * from './messages/rewind.js';
export * from './threads/fork.js';
export * from './messages/search.js';
export * from './operations/system.js';
export * from './policies/model.js';
export * from './outputs/output.js';
export * from './outputs/output-list.js';
export { outputKinds } from './outputs/output-kinds.js';
export * from './policies/policy.js';
export * from './policies/policy-answers.js';
export * from './policies/policy-simulation.js';
export { upstreamProvider, upstreamPut } from './policies/upstream.js';
export * from './problem.js';
export { none } from './routes/route.js';
export * from './text.js';
export * from './threads/thread.js';
export * from './operations/project-usage.js';
export * from './operations/usage.js';
export * from './threads/project-search.js';
export * from './threads/thread-list.js';
export * from './events/webhook.js';
export * from './routes.js';
