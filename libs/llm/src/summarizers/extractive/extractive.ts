import type { CountTokens, SummaryFields } from '@spillway/engine';
import type { SummarizeInput, Summarized, Summarizer } from '../../summarizer.js';
import { actionsOf, latestReport } from './activity.js';
import { decisionsOf, failuresOf, plansOf } from './findings.js';
import { identifiersOf, parseIdentifiers, renderIdentifiers, type Identifier } from './identifiers.js';
import { parseItems, renderItem, type Item } from './item.js';
import { constraintsOf, requestsOf } from './requests.js';

/** Shares of the summary's tokens. What a field leaves over goes to the ones after it. */
const shares: Record<keyof SummaryFields, number> = {
  task_overview: 0.2,
  current_state: 0.22,
  important_discoveries: 0.2,
  next_steps: 0.1,
  context_to_preserve: 0.28,
};

/**
 * The summarizer that needs no model and no key: it quotes. Every line is taken from the thread with its seq, so
 * nothing in it is invented and every identifier is verbatim. Deterministic, and linear in the text it reads.
 */
export const extractiveSummarizer: Summarizer = {
  summarize: (input) => Promise.resolve(extract(input)),
};

function extract({ prior, messages, maxTokens, count }: SummarizeInput): Summarized {
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
    context_to_preserve: [...carry(preserved.rest, 2), ...constraintsOf(messages)],
  };
  const newest = messages.at(-1)?.seq ?? 1;
  const fields = {} as SummaryFields;
  let left = maxTokens;
  let shareLeft = 1;
  for (const name of Object.keys(shares) as (keyof SummaryFields)[]) {
    const room = Math.floor((left * shares[name]) / shareLeft);
    fields[name] =
      name === 'context_to_preserve'
        ? preserve(candidates[name], merge(preserved.ids, identifiersOf(messages)), newest, room, count)
        : choose(candidates[name], newest, room, count, name === 'task_overview');
    left -= count(fields[name]);
    shareLeft -= shares[name];
  }
  return { fields, method: 'extractive', model: null };
}

type SummaryItems = Record<keyof SummaryFields, Item[]>;

const carry = (field: string | undefined, weight = 1): Item[] => parseItems(field ?? '', () => weight);

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
  let left = room - count(quotes) - 12;
  const score = (id: Identifier) => Math.log2(1 + id.uses) + (3 * id.seq) / newest;
  const kept: Identifier[] = [];
  for (const id of [...ids].sort((a, b) => score(b) - score(a) || (a.value < b.value ? -1 : 1))) {
    const tokens = count(`${id.value} (${id.seq}); `);
    if (tokens > left) break;
    left -= tokens;
    kept.push(id);
  }
  return [quotes, renderIdentifiers(kept.sort((a, b) => a.seq - b.seq))]
    .filter((part) => part !== '')
    .join('\n');
}

function merge(prior: readonly Identifier[], found: Map<string, Identifier>): Identifier[] {
  const all = new Map(prior.map((id) => [id.value, id]));
  for (const id of found.values()) {
    all.set(id.value, { ...id, uses: id.uses + (all.get(id.value)?.uses ?? 0) });
  }
  return [...all.values()];
}
