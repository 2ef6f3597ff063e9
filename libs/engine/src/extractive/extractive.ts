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
import { failuresOf } from './failures.js';
import { clipAtWord, parseItems, renderItem, type Item } from '../compaction/summary-item.js';
import { openEndsOf } from './open-ends.js';
import { statementsBy, weightOf } from './statements.js';
import { NewWords } from './new-words.js';
import { isClosed, shortenClosed, tasksOf, weightOfClosed } from './tasks.js';

export interface ToExtract {
  /** The active summary, which the new one replaces and must fold in. */
  prior: SummaryFields | null;
  /** In seq order. */
  messages: readonly SeqMessage[];
  /** Tokens that all fields may take together. */
  maxTokens: number;
  count: CountTokens;
}

type Shares = Record<SummaryFieldName, number>;

/** Shares of the narrative, in the order in which fields are filled. What one leaves goes to the ones after it. */
const shares: Shares = {
  task_overview: 0.24,
  current_state: 0.16,
  next_steps: 0.08,
  context_to_preserve: 0.05,
  important_discoveries: 0.47,
};
/** Where tasks were closed, their lines say what became of them, and take what the open one leaves. */
const sharesOfSeveral: Shares = {
  current_state: 0.1,
  next_steps: 0.08,
  context_to_preserve: 0.05,
  important_discoveries: 0.22,
  task_overview: 0.55,
};
/** Messages after which the line of a closed task is worth half. */
const halfLife = 400;
/** How much a short item is preferred: 0 not at all, 1 by its tokens. */
const brevity = 0.6;
/** How much the newest item is preferred to the oldest. */
const recency = 0.3;
/** An item with a smaller share of words that no chosen one says repeats what was said. */
const minNewWords = 0.4;

/**
 * A summary without a model: it quotes. Every line is taken from the thread with its seq, so nothing in it is
 * invented and every identifier is verbatim. Deterministic, and linear in the text it reads.
 */
export function extractSummary({ prior, messages, maxTokens, count }: ToExtract): SummaryFields {
  const newest = messages.at(-1)?.seq ?? 1;
  const ledger = new Ledger(prior);
  ledger.add(messages);
  const items = itemsOf(prior, messages);
  const { openFrom } = items;
  const slots = slotsOf(maxTokens, { method: 'extractive', hasClosedTasks: openFrom !== null });
  const factsBeside = (narrative: SummaryFields): string => {
    const written = new SaidText(Object.values(narrative).join('\n'));
    const room = maxTokens - tokensOf(narrative, count);
    return ledger.render(room, count, { isSaid: (value) => written.says(value), openFrom: openFrom ?? 0 });
  };
  let narrative = chosen(items, newest, slots.narrative, count);
  let facts = factsBeside(narrative);
  const left = maxTokens - tokensOf(narrative, count) - count(facts);
  if (left > maxTokens / 20) {
    narrative = chosen(items, newest, maxTokens - count(facts), count);
    facts = factsBeside(narrative);
  }
  return { ...narrative, [factsField]: facts };
}

const tokensOf = (fields: SummaryFields, count: CountTokens): number =>
  Object.values(fields).reduce((sum, text) => sum + count(text), 0);

interface SummaryItems {
  of: Record<SummaryFieldName, Item[]>;
  shares: Shares;
  /** The message that began the open task; null where no task before it was closed. */
  openFrom: number | null;
}

function itemsOf(prior: SummaryFields | null, messages: readonly SeqMessage[]): SummaryItems {
  const carried = (field: SummaryFieldName, weigh: (text: string) => number): Item[] =>
    parseItems(prior?.[field] ?? '', weigh);
  const effects = joinEffects(
    carried('current_state', () => 1),
    [...effectsIn(messages), ...storedOutputsOf(messages)],
  );
  const before = carried('task_overview', (text) => (isClosed(text) ? weightOfClosed(text) : 1.2));
  const tasks = tasksOf(messages, {
    requests: before.filter(({ text }) => !isClosed(text)),
    effects: carried('current_state', () => 1),
    statements: carried('important_discoveries', () => 1),
  });
  const isOpen = ({ seq }: Item): boolean => seq >= tasks.openFrom;
  const closedBefore = before
    .filter(({ text }) => isClosed(text))
    .map((item) => ({ ...item, text: shortenClosed(item.text) }));
  const isSeveral = tasks.hasClosed || closedBefore.length > 0;
  const openBefore = before.find(({ text }) => !isClosed(text))?.seq ?? 0;
  return {
    of: {
      task_overview: [...closedBefore, ...tasks.items],
      // What was done for a closed task stands in its line.
      current_state: effects.filter(isOpen),
      important_discoveries: [
        ...carried('important_discoveries', (text) => Math.max(0.6, weightOf(text))),
        ...failuresOf(messages),
        ...refusalsIn(messages),
        ...statementsBy(messages),
      ].filter(isOpen),
      // A plan is worth nothing once there is a newer one.
      next_steps: [...carried('next_steps', () => 0.1), ...openEndsOf(messages)].filter(isOpen),
      // Summaries from before instructions had a slot of their own quote them here.
      context_to_preserve: carried('context_to_preserve', () => 2).filter(
        ({ text }) => !/^(?:user|system|developer): "/.test(text),
      ),
    },
    shares: isSeveral ? sharesOfSeveral : shares,
    openFrom: isSeveral ? tasks.openFrom || openBefore : null,
  };
}

function chosen(items: SummaryItems, newest: number, room: number, count: CountTokens): SummaryFields {
  const fields: SummaryFields = {};
  const written = new NewWords();
  let left = room;
  let shareLeft = 1;
  for (const name of Object.keys(items.shares) as SummaryFieldName[]) {
    const part = Math.floor((left * items.shares[name]) / shareLeft);
    fields[name] = choose(items.of[name], { newest, room: part, count, written });
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
  const unique = [...new Map(items.map((item) => [item.text, item])).values()];
  const ranked = unique.map((whole) => {
    const item = whole.keep ? shortened(whole, room, count) : whole;
    const tokens = count(renderItem(item)) + 1;
    const weight = isClosed(item.text)
      ? item.weight * Math.pow(0.5, (newest - item.seq) / halfLife)
      : item.weight + recency * (item.seq / newest);
    const worth = weight / Math.pow(tokens, brevity);
    return { item, tokens, worth: item.keep ? Infinity : worth };
  });
  // A closed task is one of its own, however much it is like the others.
  const isRepeated = (item: Item): boolean =>
    !item.keep && !isClosed(item.text) && written.shareIn(item.text) < minNewWords;
  const kept: Item[] = [];
  let used = 0;
  let misses = 0;
  for (const { item, tokens } of ranked.sort((a, b) => b.worth - a.worth || b.item.seq - a.item.seq)) {
    if (used + tokens > room && ++misses > maxMisses) break;
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
  const chars = Math.floor((item.text.length * room * 0.75) / tokens);
  const quote = /^(\w+: ")(.*)"$/s.exec(item.text);
  return {
    ...item,
    text: quote ? `${quote[1]}${clipAtWord(quote[2]!, chars)}"` : clipAtWord(item.text, chars),
  };
}

/** Items in a row that may be too long for what is left before the rest is not tried any more. */
const maxMisses = 30;
