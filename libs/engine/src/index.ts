// Context management in the order of its layers: each folder imports only folders named above it, and `npm run check`
// insists. one-fold.test.ts follows some messages through all of them: read, counted, cut, summarized, scored and sent.
// docs/compaction.md explains the decisions.

// A message in neutral form, and its entry: the numbers and ids that decisions are made on.
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
export { withoutProgramText } from './messages/program-text.js';
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

// The settings of a thread, merged from the levels that set them; presets of other systems.
export * from './policy/policy.js';
export * from './policy/merge-policies.js';
export * from './policy/presets.js';

// Large tool results leave the context: which ones, and the stub with the preview that replaces each.
export * from './outputs/offload.js';
export * from './outputs/stub.js';
export * from './outputs/preview/preview.js';
export { maxJsonLength, parseJson, type Reviver } from './outputs/preview/json/parse-json.js';
export * from './outputs/preview/previews.js';
export * from './outputs/preview/ends.js';
export { linesOf } from './outputs/preview/lines/read-lines.js';
export { kindOf } from './outputs/preview/sniff.js';
export * from './outputs/outline/outline.js';

// Units, which are kept, summarized or left out as a whole: a message, or an assistant's tool calls with their results.
export * from './units/unit.js';
export * from './units/holds.js';

// A context: the messages that a model is sent. Old images and results are reduced, what does not fit the limit is left
// out, and the rest is written in the format asked for.
export * from './context/context.js';
export * from './context/reduce.js';
export * from './context/fit.js';
export * from './context/shorten.js';
export type { Dropped } from './context/piece.js';
export * from './context/assemble.js';
export * from './context/history/history-writer.js';

// Signed reasoning in a context: it stays only behind the prefix that its model saw.
export * from './reasoning/new-messages.js';
export * from './reasoning/reasoning.js';

// When old messages are replaced by a summary: the budget and the trigger, ...
export * from './compaction/budget.js';
// ... how many of the newest units stay, ...
export * from './compaction/retention.js';
// ... where to cut, which covered messages are carried, and what the cut is worth, ...
export * from './compaction/plan.js';
export * from './compaction/chosen-cut.js';
// ... the five fields of a summary as text, and the tokens that each part of it may take, ...
export * from './compaction/summary.js';
export * from './compaction/slots.js';
// ... and a policy tried on a whole thread, by sizes alone.
export * from './compaction/simulate-policy.js';

// The ledger: the values that a later step may need letter by letter, over all folds of a thread. It fills the field of
// facts in every summary, whoever writes the others.
export { usesIn } from './ledger/identifiers.js';
export { SaidText, says } from './ledger/said-text.js';
export type { LedgerEntry } from './ledger/ledger-text.js';
export { Ledger } from './ledger/ledger.js';
export * from './ledger/keep-facts.js';
export * from './ledger/add-facts.js';

// An extractive summary: written by code, of quotes and values.
export * from './extractive/extractive.js';
export { namesClosedTasks } from './extractive/tasks.js';

// Standing instructions, which the user gave for the rest of the thread: found in messages, ...
export * from './instructions/instruction.js';
export * from './instructions/instructions-in.js';
export * from './instructions/newest-found.js';
// ... retired by newer ones, and shown at the head of a summary.
export * from './instructions/states.js';
export * from './instructions/render.js';
// The parts of the detector that `npm run cues` learns from and the benchmarks measure.
export { kindOfSentence } from './instructions/classify.js';
export { cuesOf } from './instructions/cues/cues-of.js';
export { cuesOfAnyLanguage } from './instructions/languages/cues-of-any-language.js';
export { sentencesIn } from './instructions/own-words.js';
export { gistOf } from './instructions/replacement/gist.js';
export { areRelated, pairCues } from './instructions/replacement/pair-cues.js';
export { kindByRules, kindOfWords } from './instructions/rules.js';

// Facts, to check a summary afterwards: which of them it keeps, and which messages its statements come from.
export * from './facts/fact.js';
export * from './facts/fact-table.js';
export { factsIn } from './facts/facts-in.js';
export { quotesIn, withoutForgeries } from './facts/quotes.js';
export { statementsOf } from './facts/statements.js';
export * from './facts/source-index.js';

// Fidelity: the shares of instructions, facts and needs that a summary keeps.
export * from './fidelity/measured-values.js';
export * from './fidelity/needs.js';
export * from './fidelity/score.js';

// Search, for what left the context: terms of a query, ranks of hits, windows of text.
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
