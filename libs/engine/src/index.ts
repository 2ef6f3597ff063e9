// Messages, whatever the format they came in.
export * from './messages/role.js';
export * from './messages/message.js';
export * from './messages/entry.js';
export * from './messages/seq-message.js';
export * from './messages/shorten.js';
export * from './messages/erased.js';
export { formatNames, type FormatName } from './formats/format-name.js';
export * from './formats/formats.js';
export { CallIds } from './formats/call-ids.js';
export * from './formats/reasoning/new-messages.js';
export * from './formats/reasoning/reasoning.js';
export * from './formats/reasoning/strip-reasoning.js';

// Tokens, and the models' windows.
export * from './tokens/counter.js';
export * from './tokens/slices.js';
export * from './tokens/clip.js';
export * from './tokens/count-message.js';
export * from './tokens/measure-ratio.js';
export { contextWindowOf, fallbackWindow } from './models/context-window.js';
export { contextWindows } from './models/context-windows.js';
export * from './models/price.js';

// Policies.
export * from './policy/policy.js';
export * from './policy/merge-policies.js';
export * from './policy/presets.js';
export * from './policy/simulate-policy.js';

export * from './compaction/index.js';

// Literal facts of a thread, and which of them a summary keeps.
export * from './facts/fact.js';
export * from './facts/fact-table.js';
export { factsIn } from './facts/facts-in.js';
export * from './facts/add-facts.js';
export * from './facts/keep-facts.js';
export { Ledger } from './facts/ledger.js';
export type { LedgerEntry } from './facts/ledger-text.js';
export { quotesIn, withoutForgeries } from './facts/quotes.js';
export { SaidText, says } from './facts/said-text.js';
export * from './facts/source-index.js';
export { statementsOf } from './facts/statements.js';
// What a summary lost, measured by code.
export * from './fidelity/identifiers-used.js';
export * from './fidelity/needs.js';
export * from './fidelity/score.js';
// What a user asked for from now on: found, updated, shown.
export * from './instructions/index.js';
// A summary without a model.
export * from './extractive/extractive.js';
export { usesIn } from './extractive/identifiers.js';

// The tools that read what left a context.
export * from './reader-tools/reader-tool-names.js';
export * from './reader-tools/tool-schemas.js';

// Large tool results: when they are offloaded, and the stub that replaces them.
export * from './outputs/offload.js';
export * from './outputs/stub.js';
export * from './outputs/preview/preview.js';
export { maxJsonLength, parseJson, type Reviver } from './outputs/preview/json/parse-json.js';
export * from './outputs/preview/previews.js';
export * from './outputs/preview/ends.js';
export { linesOf } from './outputs/preview/head-tail.js';
export { kindOf } from './outputs/preview/sniff.js';
export * from './outputs/outline/outline.js';

export * from './search/best-passages.js';
export * from './search/rank-hits.js';
export * from './search/search-terms.js';
export * from './search/searchable-text.js';
export * from './search/share-tokens.js';
export * from './search/show-text.js';
export * from './search/snippet.js';
export { isInNone } from './search/term-counts.js';

export * from './errors.js';
