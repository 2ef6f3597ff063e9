import { isBoilerplate, isHeading } from '../failure/failure-rules.js';
import { matchedLength } from '../lines/clean-line.js';
import { oddLines, oddness, type OddLine } from '../lines/odd-lines.js';
import type { ReadLines } from '../lines/read-lines.js';
import { LineShapes } from '../lines/shapes.js';
import { failingSteps, isToolMarker } from './failing-steps.js';

export interface ScoredLines {
  /** What a line is worth where it stands. */
  scores: number[];
  /** What it is worth by its words alone. */
  weights: number[];
  /** Where the runner says that a step failed. */
  markers: number[];
  /** Lines as their tools said them: without the times and names that a runner puts before them, and cut. */
  said: string[];
  /** Shapes of lines that are worth anything, by line in file order: to see that they repeat each other. */
  shapes: Map<number, number>;
  /** Lines unlike the rest, the best first; of a log with failing steps those in them. */
  odd: OddLine[];
}

/** Lines this far before the end of a failing step are where the reason usually stands. */
const near = 30;
/** The same before a tool says that what it ran failed. */
const nearTool = 8;
/** Lines under a heading that belong to it. */
const underHeading = 8;
/** Scores below this are not worth comparing. */
const leastShaped = 2;
/** What is left of a line that was said before. */
const again = 0.15;
/** Lines of one shape that are so many, and such a share of all, are common, unless they state a cause outright. */
const commonLines = 50;
const commonShare = 0.2;
const outright = 8;
/** Words in more than this share of the lines are part of their shapes. */
const shapedWords = 0;
/** What a line outside of any failing step is worth. */
const elsewhere = 0.3;
/** The same for one within the step, before its last part. */
const beforePart = 0.75;

/** A line that scores less is an ordinary one. */
const leastOdd = 0.3;
/** What a line is worth because it is the only one of its shape, and what more when it hints at a failure. */
const oddWorth = 2.6;
const oddHintWorth = 3.5;
/** Odd lines matter even outside of failing steps. */
const oddPlace = 0.5;

/** What each line is worth, by its words, where it stands, and how often the like of it was said. */
export function scoreLines({ said: whole, weights: weighed }: ReadLines): ScoredLines {
  const said = whole.map((line) => (line.length > matchedLength ? line.slice(0, matchedLength) : line));
  const weights = [...weighed.failure];
  const lineShapes = new LineShapes(said);
  const oddnesses = oddness(said, weighed.told, lineShapes);
  const scores = [...weights];
  const place = new Float32Array(said.length).fill(elsewhere);
  const lifted = new Float32Array(said.length);
  const lift = (from: number, step: 1 | -1, first: number, most: number, reach: number) => {
    let seen = 0;
    const end = from + step * reach * 4;
    for (let i = from; i >= first && i < said.length && i !== end && seen < reach; i += step) {
      if (said[i]!.trim() === '' || isBoilerplate(said[i]!)) continue;
      const closeness = 1 - seen++ / reach;
      lifted[i] = Math.max(lifted[i]!, most * closeness * closeness);
    }
  };
  const steps = failingSteps(said);
  for (const { first, part, last } of steps) {
    place.fill(beforePart, first, part);
    place.fill(1, part, last + 1);
    // Even words that no rule knows are the reason when they come last.
    lift(last, -1, first, 4.5, near);
  }
  said.forEach((line, i) => {
    if (weights[i]! > 0 && isToolMarker(line)) lift(i - 1, -1, 0, 2.5, nearTool);
    // A tool that explains its options was called in a wrong way, and said so just before.
    if (/^\s*(?:usage|options|synopsis|syntax)\b.{0,3}(?::|$)/i.test(line)) lift(i - 1, -1, 0, 4, 3);
    if (weights[i]! >= 2 && isHeading(line)) lift(i + 1, 1, 0, 4, underHeading);
  });
  const markers = steps.map((step) => step.marker).filter((i) => i < said.length);
  for (let i = 0; i < scores.length; i++) scores[i] = (scores[i]! + lifted[i]!) * place[i]!;
  oddnesses.forEach((odd, i) => {
    if (odd < leastOdd || isBoilerplate(said[i]!)) return;
    const worth = weighed.told[i]! >= 1 ? oddHintWorth : oddWorth;
    scores[i]! += odd * worth * Math.max(oddPlace, place[i]!);
  });
  const isInStep = (i: number): boolean => place[i]! >= beforePart && !isBoilerplate(said[i]!);
  const odd = oddLines(said, isInStep, weighed, oddnesses);
  const shapes = discountRepeats(said, weights, scores, lineShapes);
  return { scores, weights, markers, said, shapes, odd };
}

/** Lowers the scores of what was said before, in the same words or in like ones; gives the shapes of lines by line. */
function discountRepeats(
  said: readonly string[],
  weights: readonly number[],
  scores: number[],
  lineShapes: LineShapes,
): Map<number, number> {
  const all = lineShapes.of(new Uint8Array(said.length), shapedWords);
  const shapes = new Map<number, number>();
  const total = new Map<number, number>();
  said.forEach((_, i) => {
    if (scores[i]! < leastShaped) return;
    const shape = all[i]!;
    shapes.set(i, shape);
    total.set(shape, (total.get(shape) ?? 0) + 1);
  });
  const seen = new Map<number, number>();
  const texts = new Set<string>();
  const most = Math.max(commonLines, said.length * commonShare);
  for (const [i, shape] of shapes) {
    const times = (seen.get(shape) ?? 0) + 1;
    seen.set(shape, times);
    if (times > 2) scores[i] = (scores[i]! * 2) / times;
    if (texts.has(said[i]!)) scores[i] = scores[i]! * again;
    texts.add(said[i]!);
    // What most lines say is how this log talks, not why it ends.
    if (weights[i]! < outright && total.get(shape)! > most) scores[i] = scores[i]! * again;
  }
  return shapes;
}
