import type { CountTokens } from '../../../tokens/counter.js';
import type { PreviewRoom } from '../preview.js';
import { clipLine, gapTokens, renderLines } from '../lines/render-lines.js';
import type { ScoredLines } from './score-lines.js';
import { spreadWorth } from './spread-worth.js';

/** Worth less than this is no reason to show a line. */
const minWorth = 0.5;
/** Lines worth less are shown beside others, not alone. */
const aloneWorth = 2.5;
/** More lines than these never fit. */
const maxLines = 600;

export interface SelectedLines {
  /** The lines to show, from 0. */
  chosen: Set<number>;
  /** The first of those that were chosen for what they say; -1 for none. */
  first: number;
}

/**
 * The lines to show, within the room: those worth most, with what stands around them, then the first and last lines. A
 * log may repeat one failure until no line of it is worth much: without its ends nothing of it would be shown.
 */
export function selectLines(
  lines: readonly string[],
  scored: ScoredLines,
  room: PreviewRoom,
  count: CountTokens,
): SelectedLines {
  const { scores, markers, bare, shapes } = scored;
  const { order, worth } = scored.isQuiet ? quietOrder(scored, room) : failingOrder(scored);
  const tokensOf = (shown: ReadonlySet<number>): number => count(renderLines(lines, shown, shapes));
  const selection = new Selection(lines, bare, count, room.tokens - gapTokens * 2);
  // Costs are upper bounds; what they left over is spent as well.
  for (let pass = 0; pass < 4 && selection.left > gapTokens; pass++) {
    let missed = 0;
    for (const i of order) {
      if (selection.chosen.has(i) || selection.isBlank(i)) continue;
      const mayStandAlone = worth[i]! >= aloneWorth || i === markers.at(-1) || i === markers[0];
      if (!selection.take(i, mayStandAlone) && ++missed > maxMissed) break;
    }
    selection.fillNarrowGaps();
    selection.left = room.tokens - tokensOf(selection.chosen) - 2;
  }
  const telling = [...selection.chosen];
  for (const i of endsOf(bare, room)) selection.take(i, true);
  const chosen = within(selection.chosen, (shown) => tokensOf(shown) <= room.tokens, scores);
  return { chosen, first: telling.reduce((least, i) => (least < 0 ? i : Math.min(least, i)), -1) };
}

/** After so many lines that did not fit, hardly any of those that are worth less does. */
const maxMissed = 200;

/** Lines that were chosen, and the tokens that are left for more. */
class Selection {
  readonly chosen = new Set<number>();
  private readonly costs = new Map<number, number>();

  constructor(
    private readonly lines: readonly string[],
    private readonly bare: readonly string[],
    private readonly count: CountTokens,
    public left: number,
  ) {}

  isBlank(i: number): boolean {
    return this.bare[i]?.trim() === '';
  }

  /** Chooses a line, if it fits. */
  take(i: number, mayStandAlone: boolean): boolean {
    if (i < 0 || i >= this.lines.length || this.chosen.has(i) || this.isBlank(i)) return false;
    const neighbours = Number(this.isShown(i - 1)) + Number(this.isShown(i + 1));
    if (!mayStandAlone && neighbours === 0) return false;
    // A line between two that are shown closes a gap; one apart from all others opens another.
    const cost = this.costOf(i) + (1 - neighbours) * gapTokens;
    if (cost > this.left) return false;
    this.left -= cost;
    this.chosen.add(i);
    return true;
  }

  /** A mark of a gap that takes as much as the lines it stands for is replaced by them. */
  fillNarrowGaps(): void {
    const { chosen, lines } = this;
    for (const last of [...chosen]) {
      let cost = 0;
      const between: number[] = [];
      for (let i = last + 1; i < lines.length && !chosen.has(i) && cost <= gapTokens; i++) {
        if (this.isBlank(i)) continue;
        between.push(i);
        cost += this.costOf(i);
      }
      const end = (between.at(-1) ?? last) + 1;
      if (cost > gapTokens || end >= lines.length) continue;
      for (const i of between) chosen.add(i);
    }
  }

  /** A blank line beside one that is shown is no gap. */
  private isShown(i: number): boolean {
    const { chosen } = this;
    return chosen.has(i) || (this.isBlank(i) && (chosen.has(i - 1) || chosen.has(i + 1)));
  }

  private costOf(i: number): number {
    const known = this.costs.get(i);
    if (known !== undefined) return known;
    const cost = this.count(clipLine(this.lines[i]!)) + 1;
    this.costs.set(i, cost);
    return cost;
  }
}

/** Lines in the order in which they are tried, and what each is worth. */
interface Order {
  order: readonly number[];
  worth: Float64Array;
}

/** Where runners say that a step failed, then what is odd and tells of a failure, then lines by what they are worth. */
function failingOrder({ bare, scores, markers, odd }: ScoredLines): Order {
  const worth = spreadWorth(bare, scores);
  const ends = [...new Set([markers.at(-1), markers[0]])].filter((i) => i !== undefined);
  const oddest = odd.filter((one) => one.odd >= oddInFailing && one.score >= oddFailing);
  const ranked: number[] = [];
  worth.forEach((value, i) => {
    if (value >= minWorth) ranked.push(i);
  });
  ranked.sort((a, b) => worth[b]! - worth[a]! || a - b);
  const order = [...ends, ...oddest.slice(0, maxOdd).map(({ at }) => at), ...ranked.slice(0, maxLines)];
  return { order, worth };
}

/** A line that is so odd, and tells of a failure, is shown before those that rules find; in a quiet log less is enough. */
const oddInFailing = 0.75;
const oddFailing = 2.5;
const oddInQuiet = 0.4;
/** How many such lines come first. */
const maxOdd = 5;

/** What a run without failure says of itself at its end. */
const summary =
  /\b\d+ (?:tests? )?(?:passed|passing|succeeded|tests?|examples|specs|assertions|warnings?)\b|\bBUILD SUCCESS|\b(?:Done|Finished|Completed|Built) in \d/i;

/** Last and first lines, in turn. */
function endsOf(bare: readonly string[], { headLines, tailLines }: PreviewRoom): number[] {
  const ends: number[] = [];
  for (let i = 0; i < Math.max(headLines, tailLines); i++) {
    if (i < tailLines) ends.push(bare.length - 1 - i);
    if (i < headLines) ends.push(i);
  }
  return ends.filter((i) => i >= 0 && i < bare.length);
}

/** What is odd, then last lines, first lines, and totals in between: each may stand alone. */
function quietOrder({ bare, odd }: ScoredLines, room: PreviewRoom): Order {
  const oddest = odd.filter((one) => one.odd >= oddInQuiet).slice(0, maxOdd);
  const totals: number[] = [];
  for (let i = bare.length - 1; i >= 0 && totals.length < maxTotals; i--)
    if (summary.test(bare[i]!)) totals.push(i);
  return {
    order: [...oddest.map(({ at }) => at), ...endsOf(bare, room), ...totals],
    worth: new Float64Array(bare.length).fill(aloneWorth),
  };
}

/** Totals of a run that are looked for, from its end. */
const maxTotals = 8;

/** Gives up the least of what was chosen until it fits: counts of pieces do not add up to the count of the whole. */
function within(
  chosen: Set<number>,
  fits: (shown: Set<number>) => boolean,
  scores: readonly number[],
): Set<number> {
  const least = [...chosen].sort((a, b) => scores[a]! - scores[b]! || b - a);
  while (chosen.size > 0 && !fits(chosen)) chosen.delete(least.shift()!);
  return chosen;
}
