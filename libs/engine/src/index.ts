// Context management in the order of its layers: each folder imports only folders named above it. `npm run check`
// insists. docs/compaction.md explains the decisions.

// A message, whatever the format it came in, and what decisions need of it.
export * from './messages/role.js';
export { formatNames, type FormatName } from './messages/format-name.js';
export * from './messages/message.js';
export {
  inlineMediaIn,
  mediaMark,
  mediaMarkIn,
  minMediaLength,
  replaceData,
} from './messages/inline-media.js';
export * from './messages/entry.js';
export * from './messages/participant.js';
export * from './messages/seq-message.js';
export { isExactNumber, parseQuotingInexact } from './messages/exact-number.js';

// How many tokens a message takes, and how many a model accepts.
export * from './tokens/counter.js';
export * from './tokens/slices.js';
export * from './tokens/clip.js';
export * from './tokens/media/media-tokens.js';
export * from './tokens/count-message.js';
export * from './tokens/measure-ratio.js';
export { contextWindowOf, fallbackWindow } from './models/context-window.js';
export { contextWindows } from './models/context-windows.js';
export * from './models/price.js';

// The formats of the providers: each is read into a message and written from one.
export * from './formats/formats.js';
export * from './formats/reasoning.js';
export * from './formats/erased.js';

// The tools that read what left a context.
export * from './reader-tools/reader-tool-names.js';
export * from './reader-tools/tool-schemas.js';

// How a thread is treated: the settings, their levels and presets.
export * from './policy/policy.js';
export * from './policy/merge-policies.js';
export * from './policy/presets.js';

// Large tool results: when they are offloaded, and the stub that replaces them.
export * from './outputs/offload.js';
export * from './outputs/stub.js';
export * from './outputs/preview/preview.js';
export { maxJsonLength, parseJson, type Reviver } from './outputs/preview/json/parse-json.js';
export * from './outputs/preview/previews.js';
export * from './outputs/preview/ends.js';
export { linesOf } from './outputs/preview/lines/read-lines.js';
export { kindOf } from './outputs/preview/sniff.js';
export * from './outputs/outline/outline.js';

// What is cut, kept and left out as a whole: a message, or an assistant's tool calls with their results.
export * from './units/unit.js';
export * from './units/holds.js';

// What is sent to a model: what it is made from, what of old messages it leaves out, what it leaves out when it is
// still too large, and how it is written.
export * from './context/context.js';
export * from './context/reduce.js';
export * from './context/fit.js';
export * from './context/shorten.js';
export type { Dropped } from './context/show-unit.js';
export * from './context/assemble.js';
export * from './context/history/history-writer.js';

// The reasoning in it that a provider signed, which holds behind one prefix only.
export * from './reasoning/new-messages.js';
export * from './reasoning/reasoning.js';

// When old messages are replaced by a summary: the budget and the trigger, ...
export * from './compaction/budget.js';
// ... how many of the newest units stay, ...
export * from './compaction/retention.js';
// ... where to cut, what is carried and what the cut is worth, ...
export * from './compaction/plan.js';
export * from './compaction/chosen-cut.js';
// ... the five fields of a summary, and the tokens that each part of it may take, ...
export * from './compaction/summary.js';
export * from './compaction/slots.js';
// ... and the same over a whole thread, to try a policy.
export * from './compaction/simulate-policy.js';

// The values that a later step may need letter by letter, over all folds of a thread.
export { usesIn } from './ledger/identifiers.js';
export { SaidText, says } from './ledger/said-text.js';
export type { LedgerEntry } from './ledger/ledger-text.js';
export { Ledger } from './ledger/ledger.js';
export * from './ledger/keep-facts.js';
export * from './ledger/add-facts.js';

// A summary without a model: quotes and values.
export * from './extractive/extractive.js';
export { namesClosedTasks } from './extractive/tasks.js';

// What a user asked for from now on: found, updated, shown.
export * from './instructions/index.js';

// Which facts of the messages a summary keeps, and which messages its statements come from.
export * from './facts/fact.js';
export * from './facts/fact-table.js';
export { factsIn } from './facts/facts-in.js';
export { quotesIn, withoutForgeries } from './facts/quotes.js';
export { statementsOf } from './facts/statements.js';
export * from './facts/source-index.js';

// How much a summary lost, in numbers.
export * from './fidelity/measured-values.js';
export * from './fidelity/needs.js';
export * from './fidelity/score.js';

// Finding again what left the context.
export * from './search/best-passages.js';
export * from './search/follow-ups.js';
export * from './search/rank-hits.js';
export * from './search/search-terms.js';
export * from './search/searchable-text.js';
export * from './search/share-tokens.js';
export * from './search/show-text.js';
export * from './search/snippet.js';
export { isInNone } from './search/term-counts.js';

export * from './errors.js';
