import type { CountTokens } from '../../tokens/counter.js';
import type { PreviewRoom } from '../preview.js';
import { isBoilerplate } from './failure-rules.js';
import { clipLine, renderLines } from './render-lines.js';
import type { ScoredLines } from './score-lines.js';

/** Tokens that a mark of a gap takes. */
const gapTokens = 12;

/** The share of the room for the best lines alone; the rest is for what stands around them. */
const anchorShare = 0.5;

/** Scores below this are no reason to show a line. */
const leastScore = 1.5;
/** A log without a marker in which no line weighs this much tells of no failure. */
const leastFailure = 3;
/** Nor are lines that are worth so little beside the best one. */
const leastShare = 0.35;

/** The lines to show (from 0), within the room: the best ones first, then more and more of what stands around them. */
export function selectLines(
  lines: readonly string[],
  { scores, weights, markers }: ScoredLines,
  room: PreviewRoom,
  count: CountTokens,
): Set<number> {
  const chosen = new Set<number>();
  let left = room.tokens - gapTokens * 2;
  const costs = new Map<number, number>();
  const costOf = (i: number): number => {
    const known = costs.get(i);
    if (known !== undefined) return known;
    const cost = count(clipLine(lines[i]!)) + 1;
    costs.set(i, cost);
    return cost;
  };
  const isBlank = (i: number): boolean => lines[i]?.trim() === '';
  const take = (i: number): boolean => {
    if (i < 0 || i >= lines.length) return false;
    if (chosen.has(i) || isBlank(i)) return true;
    const isolated = !isShown(i - 1) && !isShown(i + 1);
    const cost = costOf(i) + (isolated ? gapTokens : 0);
    if (cost > left) return false;
    left -= cost;
    chosen.add(i);
    return true;
  };
  const isShown = (i: number): boolean =>
    chosen.has(i) || (isBlank(i) && (chosen.has(i - 1) || chosen.has(i + 1)));

  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  const least = Math.max(leastScore, Math.min(best, 10) * leastShare);
  const ranked = lines
    .map((_, i) => i)
    .filter((i) => scores[i]! >= least && !isBlank(i))
    .sort((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, 200);
  const isQuiet = markers.length === 0 && !weights.some((weight) => weight >= leastFailure);
  if (ranked.length === 0 || isQuiet) return headAndTail(lines, room, take, chosen);

  const start = left;
  const anchors: number[] = [];
  const said = new Set<string>();
  for (const marker of new Set([markers.at(-1), markers[0]])) if (marker !== undefined) take(marker);
  for (const i of ranked) {
    if (start - left > start * anchorShare) break;
    if (!take(i)) continue;
    anchors.push(i);
    const why = reasonAfter(i, weights);
    // The same reason again says nothing new.
    if (why === undefined || said.has(lines[why]!)) continue;
    said.add(lines[why]!);
    if (take(why)) anchors.push(why);
  }
  const primary = Math.min(...anchors.filter((i) => scores[i]! >= best * 0.7));
  const grow = (anchor: number, after: number, before: number): void => {
    extend(anchor, 1, after);
    extend(anchor, -1, before);
  };
  // One more line that says something; frames of a stack beyond the first say nothing new.
  const extend = (anchor: number, step: 1 | -1, most: number): void => {
    let taken = 0;
    let frames = 0;
    for (let i = anchor + step; i >= 0 && i < lines.length && taken < most; i += step) {
      if (isBlank(i)) continue;
      if (isEnd(lines[i]!)) return;
      if (isFrame(lines[i]!) && ++frames > 1) continue;
      if (isBoilerplate(lines[i]!) && !isRuler(lines[i]!)) continue;
      if (!take(i)) return;
      taken++;
    }
  };
  grow(primary, 14, 2);
  // Costs are upper bounds; what they left over is spent as well.
  for (let pass = 0; pass < 3; pass++) {
    for (let reach = 1; reach <= 20 && left > gapTokens; reach++) {
      for (const anchor of anchors) grow(anchor, reach, Math.min(3, reach));
    }
    left = room.tokens - count(renderLines(lines, chosen).text) - gapTokens;
    if (left < 2 * gapTokens) break;
  }
  return within(chosen, (shown) => count(renderLines(lines, shown).text) <= room.tokens, scores);
}

/** Gives up the least of what was chosen until it fits: counts of pieces do not add up to the count of the whole. */
function within(
  chosen: Set<number>,
  fits: (shown: Set<number>) => boolean,
  scores: readonly number[],
): Set<number> {
  const least = [...chosen].sort((a, b) => scores[a]! - scores[b]! || b - a);
  while (!fits(chosen)) chosen.delete(least.shift()!);
  return chosen;
}

/** A test is named first, and what went wrong with it is said some lines later. */
function reasonAfter(i: number, weights: readonly number[]): number | undefined {
  if (weights[i]! < 9) return undefined;
  for (let next = i + 1; next < Math.min(i + 16, weights.length); next++) {
    if (weights[next]! >= 9) return next;
  }
  return undefined;
}

const isRuler = (line: string): boolean => /^\s*[-=]{3,}\s*$/.test(line);

/** What runners print once a step is over. */
const isEnd = (line: string): boolean => /travis_(fold|time):|^##\[(group|endgroup|section)\]/.test(line);

const isFrame = (line: string): boolean =>
  /^\s+at (new |async )?[\w.$<>[\] ]{0,120}\(?[\w./:\\<>@-]{0,300}:\d+(:\d+)?\)?$|^\s+at [\w.$/<>]{1,200}\([\w. ]{1,80}(:\d+)?\)/.test(
    line.slice(0, 500),
  );

function headAndTail(
  lines: readonly string[],
  room: PreviewRoom,
  take: (i: number) => boolean,
  chosen: Set<number>,
): Set<number> {
  for (let i = 0; i < Math.max(room.headLines, room.tailLines); i++) {
    if (i < room.tailLines) take(lines.length - 1 - i);
    if (i < room.headLines) take(i);
  }
  return chosen;
}
