import type { CountTokens } from '../tokens/counter.js';
import { clipHead } from '../tokens/clip.js';
import { afterWholeCharacter } from '../tokens/whole-characters.js';
import type { SearchTerms } from './search-terms.js';
import { lowerCaseOf, occurrencesOf } from './term-counts.js';

/** A piece of a text, letter by letter. */
export interface TextWindow {
  /** Its first line, from 1. */
  line: number;
  text: string;
}

export interface ShownText {
  windows: TextWindow[];
  /** Whether the windows hold the whole text. */
  complete: boolean;
  tokens: number;
}

/** How to choose what to show of a text. */
export interface ShowOptions {
  terms: SearchTerms;
  /** By term: the rarer, the higher. */
  weights: readonly number[];
  count: CountTokens;
}

/** Windows of one text. More would be pieces too short to read. */
const maxWindows = 3;
const maxOccurrences = 60;

/**
 * The whole text when it fits these tokens; otherwise the windows that hold the most of what is searched for, in the
 * order of the text. A term counts fully once, so a second window goes to terms that the first lacks. A text with less
 * than half of what is searched for shows its end as well.
 */
export function showText(text: string, tokens: number, { terms, weights, count }: ShowOptions): ShownText {
  if (text.length <= tokens * maxCharactersPerToken) {
    const all = count(text);
    if (all <= tokens) return { windows: [{ line: 1, text }], complete: true, tokens: all };
  }
  const found = occurrencesIn(lowerCaseOf(text), terms, weights);
  if (found.length === 0) {
    const head = clipHead(text, tokens, count);
    return { windows: [{ line: 1, text: head }], complete: false, tokens: count(head) };
  }
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const cut = new Cut(text);
  for (let characters = tokens * 4; ; characters = Math.floor(characters * 0.8)) {
    const windows = windowsOf(cut, found, characters, all);
    const used = windows.reduce((sum, window) => sum + count(window.text), 0);
    if (used <= tokens || characters < 40) return { windows, complete: false, tokens: used };
  }
}

/** More characters than this are never one token on average. */
export const maxCharactersPerToken = 12;

interface Found {
  at: number;
  end: number;
  term: number;
  weight: number;
}

function occurrencesIn(lower: string, { terms }: SearchTerms, weights: readonly number[]): Found[] {
  return terms
    .flatMap((term, i) =>
      occurrencesOf(lower, term, maxOccurrences).map(({ at, length, quality }): Found => ({
        at,
        end: at + length,
        term: i,
        weight: quality * Math.max(0.01, weights[i]!),
      })),
    )
    .sort((a, b) => a.at - b.at);
}

/** Part of the characters that the best window gets; what follows is shared by the others. */
const firstShare = 0.5;
/** Part that the end of a text gets which holds less than half of what is searched for: outcomes stand there. */
const endShare = 0.25;

function windowsOf(cut: Cut, found: readonly Found[], characters: number, allWeights: number): TextWindow[] {
  const { ranges, shown } = bestRanges(cut, found, characters);
  if (shown >= allWeights / 2) return windowsIn(cut, ranges);
  const end = cut.end(characters * endShare);
  const most = bestRanges(cut, found, characters * (1 - endShare)).ranges;
  return windowsIn(cut, [...most, end]);
}

/** The ranges with the most of what is searched for, and the weight of the terms in them. */
function bestRanges(
  cut: Cut,
  found: readonly Found[],
  characters: number,
): { ranges: Range[]; shown: number } {
  const covered = new Map<number, number>();
  const ranges: Range[] = [];
  let left = characters;
  while (ranges.length < maxWindows && left > 80) {
    const size = ranges.length === 0 ? characters * firstShare : left / (maxWindows - ranges.length);
    const best = bestRange(found, size, ranges, covered);
    if (!best) break;
    for (const { term, weight } of found.filter((one) => isIn(one, best)))
      covered.set(term, Math.max(weight, covered.get(term) ?? 0));
    const range = cut.around(best, Math.min(size, left));
    ranges.push(range);
    left -= range.end - range.start;
  }
  return {
    ranges: ranges.map((range) => cut.around(range, range.end - range.start + left / ranges.length)),
    shown: [...covered.values()].reduce((sum, weight) => sum + weight, 0),
  };
}

const windowsIn = (cut: Cut, ranges: readonly Range[]): TextWindow[] =>
  joined(ranges).map(({ start, end }) => ({
    line: cut.lineAt(start),
    text: cut.text.slice(start, end).toWellFormed(),
  }));

interface Range {
  start: number;
  end: number;
}

const isIn = ({ at, end }: Found, range: Range): boolean => at >= range.start && end <= range.end;

/** The worth of a further occurrence of a term, and of one that another window shows. */
const again = 0.1;
const shown = 0.2;

/** The occurrences, within a size, that weigh the most together; null without one outside of what is shown. */
function bestRange(
  found: readonly Found[],
  size: number,
  ranges: readonly Range[],
  covered: ReadonlyMap<number, number>,
): Range | null {
  const open = found.filter((one) => !ranges.some((range) => isIn(one, range)));
  let best: (Range & { worth: number }) | null = null;
  for (let i = 0; i < open.length; i++) {
    const start = open[i]!.at;
    const seen = new Set<number>();
    let worth = 0;
    let end = open[i]!.end;
    for (let j = i; j < open.length && open[j]!.end - start <= size; j++) {
      const { term, weight } = open[j]!;
      worth += weight * (seen.has(term) ? again : 1) * (covered.has(term) ? shown : 1);
      seen.add(term);
      end = Math.max(end, open[j]!.end);
    }
    // Of equal worth, the closer together.
    worth -= ((end - start) / size) * 0.01;
    if (!best || worth > best.worth) best = { start, end, worth };
  }
  return best;
}

/** Ranges in the order of the text, those that touch as one. */
function joined(ranges: readonly Range[]): Range[] {
  const sorted = [...ranges].sort((a, b) => a.start - b.start);
  const whole: Range[] = [];
  for (const range of sorted) {
    const last = whole.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else whole.push({ ...range });
  }
  return whole;
}

/** Part of the added characters that stands before what was found: an answer usually follows its words. */
const before = 0.3;

/** A text that is cut between lines, or between words of a long line. */
class Cut {
  constructor(readonly text: string) {}

  /** A range of about this many characters around another. */
  around({ start, end }: Range, characters: number): Range {
    const more = Math.max(0, characters - (end - start));
    const from = Math.max(0, start - Math.floor(more * before));
    const to = Math.min(this.text.length, end + more - (start - from));
    const rest = more - (start - from) - (to - end);
    return { start: this.cutBetween(Math.max(0, from - rest), start), end: this.cutBefore(end, to) };
  }

  /** The first good place to start in a stretch. */
  private cutBetween(from: number, to: number): number {
    if (from === 0) return 0;
    const line = this.text.indexOf('\n', from - 1);
    if (line >= 0 && line < to && line - from < maxSkipped) return line + 1;
    const space = this.text.slice(from, to).search(/[\s,;]/);
    return space < 0 ? Math.min(to, afterWholeCharacter(this.text, from)) : Math.min(to, from + space + 1);
  }

  /** The last good place to end in a stretch. */
  private cutBefore(from: number, to: number): number {
    if (to === this.text.length) return to;
    const line = this.text.lastIndexOf('\n', to);
    if (line >= from && to - line < maxSkipped) return line;
    const space = this.text.slice(from, to).search(/[\s,;][^\s,;]*$/);
    return space < 0 ? Math.max(from, afterWholeCharacter(this.text, to)) : from + space;
  }

  /** The end of the text, from a good place on. */
  end(characters: number): Range {
    const from = Math.max(0, this.text.length - Math.floor(characters));
    return { start: this.cutBetween(from, this.text.length), end: this.text.length };
  }

  lineAt(at: number): number {
    let line = 1;
    for (let i = this.text.indexOf('\n'); i >= 0 && i < at; i = this.text.indexOf('\n', i + 1)) line++;
    return line;
  }
}

/** Characters that may be given up for a cut between lines. */
const maxSkipped = 120;
