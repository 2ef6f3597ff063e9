import type { SummaryFieldName, SummaryFields } from '../compaction/summary.js';
import type { CountTokens } from '../tokens/counter.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { actionsOf, latestReport } from './activity.js';
import { decisionsOf, failuresOf, plansOf } from './findings.js';
import {
  identifiersOf,
  mergeIdentifiers,
  newestIdentifiers,
  parseIdentifiers,
  renderIdentifiers,
  type Identifier,
} from './identifiers.js';
import { parseItems, renderItem, type Item } from './item.js';
import { requestsOf } from './requests.js';

export interface ToExtract {
  /** The active summary, which the new one replaces and must fold in. */
  prior: SummaryFields | null;
  /** In seq order. */
  messages: readonly SeqMessage[];
  /** Tokens the five fields may take together. */
  maxTokens: number;
  count: CountTokens;
}

/** Shares of the summary's tokens. What a field leaves over goes to the ones after it. */
const shares: Record<SummaryFieldName, number> = {
  task_overview: 0.2,
  current_state: 0.22,
  important_discoveries: 0.2,
  next_steps: 0.1,
  context_to_preserve: 0.28,
};

/**
 * A summary without a model: it quotes. Every line is taken from the thread with its seq, so nothing in it is
 * invented and every identifier is verbatim. Deterministic, and linear in the text it reads.
 */
export function extractSummary({ prior, messages, maxTokens, count }: ToExtract): SummaryFields {
  const preserved = parseIdentifiers(prior?.context_to_preserve ?? '');
  const candidates: SummaryItems = {
    task_overview: [...carry(prior?.task_overview), ...requestsOf(messages)],
    current_state: [...carry(prior?.current_state, 0.5), ...actionsOf(messages), ...latestReport(messages)],
    important_discoveries: [
      ...carry(prior?.important_discoveries),
      ...failuresOf(messages),
      ...decisionsOf(messages),
    ],
    next_steps: [...carry(prior?.next_steps, 0.2), ...plansOf(messages)],
    context_to_preserve: carry(withoutQuotes(preserved.rest), 2),
  };
  const newest = messages.at(-1)?.seq ?? 1;
  const fields: SummaryFields = {};
  let left = maxTokens;
  let shareLeft = 1;
  for (const name of Object.keys(shares) as SummaryFieldName[]) {
    const room = Math.floor((left * shares[name]) / shareLeft);
    fields[name] =
      name === 'context_to_preserve'
        ? preserve(
            candidates[name],
            mergeIdentifiers(preserved.ids, identifiersOf(messages)),
            newest,
            room,
            count,
          )
        : choose(candidates[name], newest, room, count, name === 'task_overview');
    left -= count(fields[name]);
    shareLeft -= shares[name];
  }
  return fields;
}

type SummaryItems = Record<SummaryFieldName, Item[]>;

const carry = (field: string | undefined, weight = 1): Item[] => parseItems(field ?? '', () => weight);

/** Summaries from before instructions had a slot of their own quote them here. */
const withoutQuotes = (field: string): string =>
  field
    .split('\n')
    .filter((line) => !/^- \[\d+\] (?:user|system|developer): "/.test(line))
    .join('\n');

/** The heaviest items that fit, in the order they were said. The first of a task is the task: it always stays. */
function choose(
  items: readonly Item[],
  newest: number,
  room: number,
  count: CountTokens,
  keepFirst = false,
): string {
  const unique = [...new Map(items.map((item) => [item.text, item])).values()];
  const score = (item: Item) => item.weight + item.seq / newest + (keepFirst && item === unique[0] ? 100 : 0);
  const chosen: Item[] = [];
  let used = 0;
  for (const item of [...unique].sort((a, b) => score(b) - score(a) || b.seq - a.seq)) {
    const tokens = count(renderItem(item)) + 1;
    if (used + tokens > room) continue;
    used += tokens;
    chosen.push(item);
  }
  return chosen
    .sort((a, b) => a.seq - b.seq)
    .map(renderItem)
    .join('\n');
}

/** Constraints take up to half of the space, identifiers the rest. */
function preserve(
  items: Item[],
  ids: Identifier[],
  newest: number,
  room: number,
  count: CountTokens,
): string {
  const quotes = choose(items, newest, Math.floor(room / 2), count);
  const kept = newestIdentifiers(ids, room - count(quotes) - 12, count);
  return [quotes, renderIdentifiers(kept)].filter((part) => part !== '').join('\n');
}
