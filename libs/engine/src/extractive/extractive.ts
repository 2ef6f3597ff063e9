import {
  factsField,
  summaryFieldNames,
  type SummaryFieldName,
  type SummaryFields,
} from '../compaction/summary.js';
import { slotsOf } from '../compaction/slots.js';
import { Ledger } from '../ledger/ledger.js';
import { SaidText } from '../ledger/said-text.js';
import { storedOutputsOf } from '../ledger/stored-outputs.js';
import type { CountTokens } from '../tokens/counter.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { effectsIn, joinEffects, refusalsIn } from './effects.js';
import { failuresOf } from './outcomes/failures.js';
import { parseQuote, renderQuote } from '../compaction/quote.js';
import { clipAtWord, parseLines, type SummaryLine } from '../compaction/summary-line.js';
import { openEndsOf, stillOpen } from './open-ends.js';
import { statementsBy, weightOf } from './statements.js';
import { NewWords } from './new-words.js';
import { withoutInstructions } from './preserved.js';
import { renderItem, type Item } from './item.js';
import { isClosed, shortenClosed, tasksOf, weightOfClosed } from './tasks.js';
import { splitRefusals } from './user-refusals.js';
import {
  choice,
  fieldShares,
  fieldSharesWithClosedTasks,
  weights,
  withPreservedLines,
  type FieldShares,
} from './weights.js';

/** The share of all tokens that must be left for the narrative to be written again with it. */
const worthAnotherPass = 1 / 20;
/** An item that is too long for its room is clipped to this share of it: characters tell tokens only roughly. */
const clippedShare = 0.75;

export interface ExtractInput {
  /** The active summary, which the new one replaces and must fold in. */
  prior: SummaryFields | null;
  /** In seq order. */
  messages: readonly SeqMessage[];
  /** Tokens that all fields may take together. */
  maxTokens: number;
  count: CountTokens;
  /** Standing instructions that stand at the head of the summary or hold no more: no field has to quote them. */
  instructions?: readonly string[];
}

/**
 * A summary without a model: it quotes. Every line is taken from the thread with its seq, so nothing in it is
 * invented and every identifier is verbatim. Deterministic, and linear in the text it reads.
 */
export function extractSummary({
  prior,
  messages,
  maxTokens,
  count,
  instructions = [],
}: ExtractInput): SummaryFields {
  const newest = messages.at(-1)?.seq ?? 1;
  const ledger = new Ledger(prior);
  ledger.add(messages);
  const items = itemsOf(prior, messages, instructions);
  const { openFrom } = items;
  const slots = slotsOf(maxTokens, openFrom === null ? 'extractive' : 'extractiveWithClosedTasks');
  const factsBeside = (narrative: SummaryFields): string => {
    const written = new SaidText(Object.values(narrative).join('\n'));
    const room = maxTokens - tokensOf(narrative, count);
    return ledger.render(room, count, { isSaid: (value) => written.says(value), openFrom: openFrom ?? 0 });
  };
  let narrative = narrativeOf(items, newest, slots.narrative, count);
  let facts = factsBeside(narrative);
  const left = maxTokens - tokensOf(narrative, count) - count(facts);
  // The facts did not fill what the narrative left to them, so it is written again with more.
  if (left > maxTokens * worthAnotherPass) {
    narrative = narrativeOf(items, newest, maxTokens - count(facts), count);
    facts = factsBeside(narrative);
  }
  return { ...narrative, [factsField]: facts };
}

const tokensOf = (fields: SummaryFields, count: CountTokens): number =>
  Object.values(fields).reduce((sum, text) => sum + count(text), 0);

interface SummaryItems {
  of: Record<SummaryFieldName, Item[]>;
  shares: FieldShares;
  /** The message that began the open task; null where no task before it was closed. */
  openFrom: number | null;
}

/** The candidates of each field: lines of the earlier summary, and quotes of the messages. */
function itemsOf(
  prior: SummaryFields | null,
  messages: readonly SeqMessage[],
  instructions: readonly string[],
): SummaryItems {
  const earlier = (field: SummaryFieldName): SummaryLine[] => parseLines(prior?.[field] ?? '');
  const closed = earlier('task_overview').filter(({ text }) => isClosed(text));
  const { others: requests, refusals } = splitRefusals(
    earlier('task_overview').filter(({ text }) => !isClosed(text)),
  );
  const tasks = tasksOf(messages, {
    requests: weighed(requests, () => weights.task.earlier),
    refusals,
    effects: earlier('current_state'),
    statements: earlier('important_discoveries'),
  });
  const hasClosedTasks = tasks.hasClosed || closed.length > 0;
  const stored = weighed(storedOutputsOf(messages), () => weights.state.storedOutput);
  // What was done and found for a closed task stands in its line.
  const isOpen = ({ seq }: Item): boolean => seq >= tasks.openFrom;
  const preserved = withoutInstructions(earlier('context_to_preserve'), instructions);
  const shares = hasClosedTasks ? fieldSharesWithClosedTasks : fieldShares;
  return {
    of: {
      task_overview: [
        ...weighed(closed, weightOfClosed).map((item) => ({ ...item, text: shortenClosed(item.text) })),
        ...tasks.items,
      ],
      current_state: joinEffects(
        weighed(earlier('current_state'), () => weights.state.earlier),
        [...effectsIn(messages), ...stored],
      ).filter(isOpen),
      important_discoveries: [
        ...weighed(earlier('important_discoveries'), (text) =>
          Math.max(weights.discovery.earlierAtLeast, weightOf(text)),
        ),
        ...failuresOf(messages),
        ...refusalsIn(messages),
        ...statementsBy(messages),
      ].filter(isOpen),
      next_steps: [
        ...stillOpen(
          weighed(earlier('next_steps'), () => weights.next.earlier),
          messages,
        ),
        ...openEndsOf(messages),
      ].filter(isOpen),
      context_to_preserve: weighed(preserved, () => weights.preserved),
    },
    shares: preserved.length > 0 ? withPreservedLines(shares) : shares,
    openFrom: hasClosedTasks ? tasks.openFrom || (requests[0]?.seq ?? 0) : null,
  };
}

const weighed = (lines: readonly SummaryLine[], weigh: (text: string) => number): Item[] =>
  lines.map((line) => ({ ...line, weight: weigh(line.text) }));

/** The five fields, each with what fits its share of `room` tokens. */
function narrativeOf(items: SummaryItems, newest: number, room: number, count: CountTokens): SummaryFields {
  const fields: SummaryFields = {};
  const written = new NewWords();
  let left = room;
  let shareLeft = 1;
  for (const name of Object.keys(items.shares) as SummaryFieldName[]) {
    const part = Math.floor((left * items.shares[name]) / shareLeft);
    // What was asked for does not say that it was done, though it was done in the same words.
    const before = name === 'current_state' ? new NewWords() : written;
    fields[name] = choose(items.of[name], { newest, room: part, count, written: before });
    if (before !== written) written.add(fields[name]);
    left -= count(fields[name]);
    shareLeft -= items.shares[name];
  }
  return Object.fromEntries(summaryFieldNames.map((name) => [name, fields[name] ?? '']));
}

interface Choice {
  newest: number;
  room: number;
  count: CountTokens;
  /** The words of what was chosen before. */
  written: NewWords;
}

/** The heaviest items that fit and say something new, in the order they were said. */
function choose(items: readonly Item[], { newest, room, count, written }: Choice): string {
  // Refusals are alike in their words, and each is of something else.
  const unique = [
    ...new Map(items.map((item) => [item.refuses ? renderItem(item) : item.text, item])).values(),
  ];
  const sizeOf = (item: Item): number => count(renderItem(item)) + 1;
  const stays = (item: Item): boolean => item.keep === true || item.refuses !== undefined;
  const staying = unique.filter(stays).reduce((sum, item) => sum + sizeOf(item), 0);
  /** The tokens that the other items that stay leave to one of them. */
  const roomOf = (item: Item): number => Math.min(room, Math.max(room / 2, room - staying + sizeOf(item)));
  const ranked = unique.map((whole) => {
    const item = stays(whole) ? shortened(whole, roomOf(whole), count) : whole;
    const tokens = sizeOf(item);
    const weight = isClosed(item.text)
      ? item.weight * Math.pow(0.5, (newest - item.seq) / choice.closedHalfLife)
      : item.weight + choice.recency * (item.seq / newest);
    const worth = weight / Math.pow(tokens, choice.brevity);
    return { item, tokens, worth: item.keep ? Infinity : item.refuses ? Number.MAX_VALUE : worth };
  });
  // A closed task is one of its own, however much it is like the others.
  const isRepeated = (item: Item): boolean =>
    !stays(item) &&
    !isClosed(item.text) &&
    written.shareIn(item.text) < choice.minNewWords &&
    written.namesIn(item.text) < choice.minNewNames;
  const kept: Item[] = [];
  let used = 0;
  let misses = 0;
  for (const { item, tokens } of ranked.sort((a, b) => b.worth - a.worth || b.item.seq - a.item.seq)) {
    if (used + tokens > room && ++misses > choice.maxMisses) break;
    if (used + tokens > room || isRepeated(item)) continue;
    used += tokens;
    written.add(item.text);
    kept.push(item);
  }
  return kept
    .sort((a, b) => a.seq - b.seq)
    .map(renderItem)
    .join('\n');
}

/** The item, clipped to about three quarters of the room when it takes more. */
function shortened(item: Item, room: number, count: CountTokens): Item {
  const tokens = count(renderItem(item)) + 1;
  if (tokens <= room) return item;
  if (item.refuses) return { ...item, refuses: { question: null } };
  const chars = Math.floor((item.text.length * room * clippedShare) / tokens);
  const quote = parseQuote(item.text);
  return {
    ...item,
    text: quote
      ? renderQuote({ ...quote, words: clipAtWord(quote.words, chars) })
      : clipAtWord(item.text, chars),
  };
}
