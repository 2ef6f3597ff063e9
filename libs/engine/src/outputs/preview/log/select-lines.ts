import type { CountTokens } from '../../../tokens/counter.js';
import type { PreviewRoom } from '../preview.js';
import { clipLine, renderLines } from '../lines/render-lines.js';
import type { ScoredLines } from './score-lines.js';
import { spreadWorth } from './spread-worth.js';

/** Tokens that a mark of a gap takes. */
const gapTokens = 11;

/** Worth less than this is no reason to show a line. */
const minWorth = 0.5;
/** Lines worth less are shown beside others, not alone. */
const aloneWorth = 2.5;
/** A log without a marker in which no line weighs this much tells of no failure. */
const minFailure = 3;
/** More lines than these never fit. */
const maxLines = 600;

/** The lines to show (from 0), within the room: those worth most, with what stands around them. */
export function selectLines(
  lines: readonly string[],
  { scores, weights, markers, said, shapes, odd }: ScoredLines,
  room: PreviewRoom,
  count: CountTokens,
): Set<number> {
  const isBlank = (i: number): boolean => said[i]?.trim() === '';
  const chosen = new Set<number>();
  const isShown = (i: number): boolean =>
    chosen.has(i) || (isBlank(i) && (chosen.has(i - 1) || chosen.has(i + 1)));
  const costs = new Map<number, number>();
  const costOf = (i: number): number => {
    const known = costs.get(i);
    if (known !== undefined) return known;
    const cost = count(clipLine(lines[i]!)) + 1;
    costs.set(i, cost);
    return cost;
  };
  let left = room.tokens - gapTokens * 2;
  const take = (i: number, mayStandAlone = true): boolean => {
    if (i < 0 || i >= lines.length || chosen.has(i) || isBlank(i)) return false;
    if (!mayStandAlone && !isShown(i - 1) && !isShown(i + 1)) return false;
    // A line between two that are shown closes a gap; one apart from all others opens another.
    const gaps = 1 - Number(isShown(i - 1)) - Number(isShown(i + 1));
    const cost = costOf(i) + gaps * gapTokens;
    if (cost > left) return false;
    left -= cost;
    chosen.add(i);
    return true;
  };

  const isQuiet = markers.length === 0 && !weights.some((weight) => weight >= minFailure);
  const oddest = odd
    .filter((one) => (isQuiet ? one.odd >= oddInQuiet : one.odd >= oddInFailing && one.score >= oddFailing))
    .map(({ at }) => at);
  const worth = isQuiet ? new Float64Array(lines.length).fill(aloneWorth) : spreadWorth(said, scores);
  const order = isQuiet
    ? [...oddest.slice(0, maxOdd), ...quietOrder(said, room)]
    : failingOrder(worth, markers, oddest.slice(0, maxOdd));
  // Costs are upper bounds; what they left over is spent as well.
  for (let pass = 0; pass < 4 && left > gapTokens; pass++) {
    let missed = 0;
    for (const i of order) {
      if (chosen.has(i) || isBlank(i)) continue;
      if (!take(i, worth[i]! >= aloneWorth || i === markers.at(-1) || i === markers[0]) && ++missed > 200)
        break;
    }
    fillNarrowGaps(chosen, lines.length, isBlank, costOf);
    left = room.tokens - count(renderLines(lines, chosen, shapes).text) - 2;
  }
  return within(chosen, (shown) => count(renderLines(lines, shown, shapes).text) <= room.tokens, scores);
}

/** A mark of a gap that takes as much as the lines it stands for is replaced by them. */
function fillNarrowGaps(
  chosen: Set<number>,
  length: number,
  isBlank: (i: number) => boolean,
  costOf: (i: number) => number,
): void {
  for (const last of [...chosen]) {
    let cost = 0;
    const between: number[] = [];
    for (let i = last + 1; i < length && !chosen.has(i) && cost <= gapTokens; i++) {
      if (isBlank(i)) continue;
      between.push(i);
      cost += costOf(i);
    }
    const end = (between.at(-1) ?? last) + 1;
    if (cost > gapTokens || end >= length) continue;
    for (const i of between) chosen.add(i);
  }
}

/** Where runners say that a step failed, then what is odd and tells of a failure, then lines by what they are worth. */
function failingOrder(worth: Float64Array, markers: readonly number[], oddest: readonly number[]): number[] {
  const ends = [...new Set([markers.at(-1), markers[0]])].filter((i) => i !== undefined);
  const ranked: number[] = [];
  worth.forEach((value, i) => {
    if (value >= minWorth) ranked.push(i);
  });
  ranked.sort((a, b) => worth[b]! - worth[a]! || a - b);
  return [...ends, ...oddest, ...ranked.slice(0, maxLines)];
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

/** Last lines, first lines, and totals in between. */
function quietOrder(said: readonly string[], room: PreviewRoom): number[] {
  const order: number[] = [];
  for (let i = 0; i < Math.max(room.headLines, room.tailLines); i++) {
    if (i < room.tailLines) order.push(said.length - 1 - i);
    if (i < room.headLines) order.push(i);
  }
  const totals: number[] = [];
  for (let i = said.length - 1; i >= 0 && totals.length < 8; i--) if (summary.test(said[i]!)) totals.push(i);
  return [...order, ...totals].filter((i) => i >= 0 && i < said.length);
}

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
