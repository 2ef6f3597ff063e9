// Compaction, in the order in which docs/compaction.md explains it.

// The smallest unit of a cut: a message, or an assistant's tool calls with their results.
export * from './unit.js';
// How many tokens a context may use, and when compaction starts.
export * from './budget.js';
// What a context leaves out of old messages before anything is summarized.
export * from './reduce.js';
// How many of the newest units stay verbatim.
export * from './retention.js';
// Where a caller may cut.
export * from './chosen-cut.js';
// Where to cut, and what the cut is worth.
export * from './plan.js';
// The five fields that replace what was cut.
export * from './summary.js';
// How many of a summary's tokens are for instructions, facts and narrative.
export * from './slots.js';
// What is left out when a context is still too large.
export * from './fit.js';
// The context: system messages, summary, pinned messages, newest messages.
export * from './context.js';
export * from './assemble.js';
export type { Dropped } from './show-unit.js';
// What people keep beside the next summaries, and what they release.
export * from './holds.js';
