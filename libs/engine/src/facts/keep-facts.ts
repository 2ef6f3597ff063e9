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
 * Models keep conclusions and lose evidence. What a later step needs letter by letter is put back by code: where
 * outputs are stored and the identifiers of the range (paths, ids, URLs, codes), those of earlier summaries included,
 * unless the summary already says them. Newest and most used first; what does not fit is one search away. What the
 * user asked for from now on has a slot of its own: see instructions/render.ts.
 */
export function keepFacts(fields: SummaryFields, { prior, messages, room, count }: Facts): SummaryFields {
  const field = 'context_to_preserve' in fields ? 'context_to_preserve' : factsField;
  const known = parseIdentifiers(prior?.[field] ?? '');
  const own = withoutIdentifiers(fields[field] ?? '');
  const said = flat([...Object.values({ ...fields, [field]: own })].join('\n'));
  const isMissing = (text: string) => !said.includes(flat(text));

  let left = room;
  const fits = (text: string): boolean => {
    const tokens = count(text) + 1;
    if (tokens > left) return false;
    left -= tokens;
    return true;
  };
  // What was read and stored is grepped from there, and not read again.
  const outputs = unique([...outputsIn(known.rest), ...actionsOf(messages).filter(isStored)]).filter((item) =>
    isMissing(outputOf(item)),
  );
  const stored = outputs.toReversed().filter((item) => left > room / 4 && fits(renderItem(item)));

  const ids = mergeIdentifiers(known.ids, identifiersOf(messages));
  const missing = ids.filter((id) => isMissing(id.value));
  const text = [
    own.trim(),
    ...stored.toReversed().map(renderItem),
    renderIdentifiers(newestIdentifiers(missing, Math.max(0, left - 12), count)),
  ]
    .filter((line) => line !== '')
    .join('\n');
  return text === '' && field === factsField ? fields : { ...fields, [field]: text };
}

const outputsIn = (text: string): Item[] =>
  parseItems(text, () => 1).filter((item) => item.seq > 0 && isStored(item));
const isStored = (item: Item): boolean => outputOf(item) !== '';
const outputOf = (item: Item): string => / -> (out_[0-9a-f]{32})$/.exec(item.text)?.[1] ?? '';

const unique = (items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.text, item])).values(),
];
const flat = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();
