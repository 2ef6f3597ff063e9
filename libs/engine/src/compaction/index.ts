// Compaction, in the order in which docs/compaction.md explains it; how a context is written comes last.

// How many tokens a context may use, and when compaction starts.
export * from './budget.js';
// The smallest unit of a cut: a message, or an assistant's tool calls with their results.
export * from './unit.js';
// How many of the newest units stay verbatim.
export * from './retention.js';
// Where to cut, what is carried, and what the cut is worth.
export * from './plan.js';
// The five fields that replace what was cut.
export * from './summary.js';
// How many of a summary's tokens are for instructions, facts and narrative.
export * from './slots.js';
// What a context leaves out of old messages: cleared results and hidden images.
export * from './reduce.js';
// Where a caller may cut.
export * from './steering/chosen-cut.js';
// What callers keep beside the next summaries, and what they release.
export * from './steering/holds.js';
// What is left out when a context is still too large.
export * from './fit.js';
// What a context is made from, and what it is.
export * from './context.js';
// The context: system messages, summary, carried messages, newest messages.
export * from './assemble.js';
export type { Dropped } from './show-unit.js';
