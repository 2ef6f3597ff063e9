import type { CountTokens } from '../../tokens/counter.js';
import { plural } from './counts.js';
import { oddLines } from './lines/odd-lines.js';
import { clipLine, linesAround } from './lines/render-lines.js';
import type { Weights } from './lines/weights.js';
import type { OutputText, Preview, PreviewRoom } from './preview.js';

/** What a text consists of: its lines, its rows, the items of its list, the blocks of a page. */
export interface Records {
  noun: string;
  texts: readonly string[];
  /** The place of a record and what it says, as shown. */
  show: (i: number) => string;
  /** Each record is a line of the text. */
  areLines?: boolean;
  weights?: Weights;
  /** Records that no preview names, however odd they are. */
  isUsual?: (text: string, i: number) => boolean;
  /** Records that are unlike the rest for another reason than their words and shape, the most unlike first. */
  far?: readonly number[];
}

/** The share of a preview that odd records may take. */
const oddShare = 0.4;
const maxShown = 12;
/** With less left no further record is tried: it would say next to nothing. */
const minRecordTokens = 8;
/** Tokens of the line that counts them, and of the breaks around it. */
const markTokens = 24;
const breakTokens = 2;

export const linesAsRecords = ({ lines }: OutputText, noun = 'line'): Records => ({
  noun,
  texts: lines.bare,
  weights: lines.weights,
  show: (i) => `${i + 1}: ${clipLine(lines.shown[i]!.trim())}`,
  areLines: true,
});

/**
 * A preview that also names the records unlike the rest, with their places: whatever a kind shows, it never hides the
 * one line that matters. What the preview shows anyway is not named again.
 */
export function withOddRecords(
  records: Records,
  room: PreviewRoom,
  count: CountTokens,
  make: (room: PreviewRoom) => Preview | null,
): Preview | null {
  const byWords = oddLines(records.texts, (i) => !records.isUsual?.(records.texts[i]!, i), records.weights);
  const odd = withFar(
    byWords.map(({ at }) => at),
    records.far ?? [],
  );
  const named: { at: number; text: string }[] = [];
  let left = Math.floor(room.tokens * oddShare) - markTokens;
  for (const at of odd) {
    if (named.length >= maxShown || left < minRecordTokens) break;
    const text = records.show(at);
    const cost = count(text) + 1;
    if (cost > left) continue;
    left -= cost;
    named.push({ at, text });
  }
  if (named.length === 0) return make(room);
  named.sort((a, b) => a.at - b.at);
  const rest = odd.length - named.length;
  const mark = `--- ${plural(named.length, records.noun)} of ${records.texts.length.toLocaleString('en-US')} unlike the rest${rest > 0 ? `, ${rest} more such not shown` : ''}: ---`;
  const note = [mark, ...named.map(({ text }) => text)].join('\n');
  const preview = make({ ...room, tokens: room.tokens - count(note) - breakTokens });
  if (!preview) return null;
  return {
    ...preview,
    text: `${preview.text}\n${note}`,
    readNext: records.areLines ? linesAround(odd[0]!, records.texts.length) : preview.readNext,
  };
}

/** Records that are odd by their words, most of them before those that are far: what tells of a failure comes first. */
const withFar = (odd: readonly number[], far: readonly number[]): number[] => [
  ...new Set([...odd.slice(0, maxShown / 2), ...far.slice(0, maxFar), ...odd]),
];
const maxFar = 3;
