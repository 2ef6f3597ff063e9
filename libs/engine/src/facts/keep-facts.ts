import { factsField, type SummaryFields } from '../compaction/summary.js';
import type { CountTokens } from '../tokens/counter.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { actionsOf } from '../extractive/activity.js';
import {
  identifiersOf,
  mergeIdentifiers,
  newestIdentifiers,
  parseIdentifiers,
  renderIdentifiers,
  withoutIdentifiers,
} from '../extractive/identifiers.js';
import { parseItems, renderItem, type Item } from '../extractive/item.js';
import { constraintsOf } from '../extractive/requests.js';

/** The share of a summary's tokens that is kept for what code puts back. */
export const factsShare = 0.3;

export interface Facts {
  prior: SummaryFields | null;
  messages: readonly SeqMessage[];
  /** Tokens that may be added. */
  room: number;
  count: CountTokens;
}

/**
 * Models keep conclusions and lose evidence. What a later step needs letter by letter is put back by code: the
 * user's constraints in the user's words with their seq, then the identifiers of the range (paths, ids, URLs, codes),
 * those of earlier summaries included, unless the summary already says them. Newest and most used first; what does
 * not fit is one search away.
 */
export function keepFacts(fields: SummaryFields, { prior, messages, room, count }: Facts): SummaryFields {
  const field = 'context_to_preserve' in fields ? 'context_to_preserve' : factsField;
  const known = parseIdentifiers(prior?.[field] ?? '');
  const own = withoutIdentifiers(fields[field] ?? '');
  const said = flat([...Object.values({ ...fields, [field]: own })].join('\n'));
  const isMissing = (text: string) => !said.includes(flat(text));

  const quotes = unique([...quotesIn(known.rest), ...constraintsOf(messages)]).filter((item) =>
    isMissing(quoted(item)),
  );
  let left = room;
  const fits = (text: string): boolean => {
    const tokens = count(text) + 1;
    if (tokens > left) return false;
    left -= tokens;
    return true;
  };
  // The latest word on a matter is the user's last one.
  const kept = quotes.toReversed().filter((item) => left > room / 3 && fits(renderItem(item)));

  // What was read and stored is grepped from there, and not read again.
  const outputs = unique([...outputsIn(known.rest), ...actionsOf(messages).filter(isStored)]).filter((item) =>
    isMissing(outputOf(item)),
  );
  const stored = outputs.toReversed().filter((item) => left > room / 4 && fits(renderItem(item)));

  const ids = mergeIdentifiers(known.ids, identifiersOf(messages));
  const missing = ids.filter((id) => isMissing(id.value));
  const text = [
    own.trim(),
    ...kept.toReversed().map(renderItem),
    ...stored.toReversed().map(renderItem),
    renderIdentifiers(newestIdentifiers(missing, Math.max(0, left - 12), count)),
  ]
    .filter((line) => line !== '')
    .join('\n');
  return text === '' && field === factsField ? fields : { ...fields, [field]: text };
}

/** Quotes of the user that an earlier summary carried: lines of our own making, known by their form. */
const quotesIn = (text: string): Item[] =>
  parseItems(text, () => 1).filter((item) => item.seq > 0 && /^(user|system|developer): "/.test(item.text));

const outputsIn = (text: string): Item[] =>
  parseItems(text, () => 1).filter((item) => item.seq > 0 && isStored(item));
const isStored = (item: Item): boolean => outputOf(item) !== '';
const outputOf = (item: Item): string => / -> (out_[0-9a-f]{32})$/.exec(item.text)?.[1] ?? '';

const quoted = (item: Item): string => item.text.replace(/^\w+: "(.*)"$/s, '$1');
const unique = (items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.text, item])).values(),
];
const flat = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();
