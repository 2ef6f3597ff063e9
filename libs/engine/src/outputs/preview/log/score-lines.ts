import { isBoilerplate, isHeading } from '../failure/failure-rules.js';
import { matchedLength } from '../lines/clean-line.js';
import { oddLines, oddness, oddnessByWords, type OddLine } from '../lines/odd-lines.js';
import type { ReadLines } from '../lines/read-lines.js';
import { LineShapes } from '../lines/shapes.js';
import { failingSteps, isToolMarker, type FailingStep } from './failing-steps.js';

export interface ScoredLines {
  /** What a line is worth where it stands. */
  scores: number[];
  /** What it is worth by its words alone. */
  weights: number[];
  /** No runner says that a step failed, and no line does. */
  isQuiet: boolean;
  /** Where the runner says that a step failed. */
  markers: number[];
  /** Lines as their tools said them: without the times and names that a runner puts before them, and cut. */
  bare: string[];
  /** Shapes of lines that are worth anything, by line in file order: to see that they repeat each other. */
  shapes: Map<number, number>;
  /** Lines unlike the rest, the best first; of a log with failing steps those in them. */
  odd: OddLine[];
}

/**
 * What a place adds to the lines next to it, most to the nearest, and how many lines it reaches: even words that no rule
 * knows are the reason when they stand there.
 */
const lifts = {
  /** The end of a failing step: the reason is usually the last that was said. */
  endOfStep: { worth: 4.5, reach: 30, step: -1 },
  /** Where a tool says that what it ran failed. */
  toolFailed: { worth: 2.5, reach: 8, step: -1 },
  /** A tool that explains its options was called in a wrong way, and said so just before. */
  usage: { worth: 4, reach: 3, step: -1 },
  /** The lines under a heading belong to it. */
  heading: { worth: 4, reach: 8, step: 1 },
} as const;
type Lift = (typeof lifts)[keyof typeof lifts];
/** Weight of a line from which on a heading announces failures. */
const announces = 2;
const usageLine = /^\s*(?:usage|options|synopsis|syntax)\b.{0,3}(?::|$)/i;

/** Scores below this are not worth comparing. */
const minShaped = 2;
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

/** A log without a marker in which no line weighs this much tells of no failure. */
const minFailure = 3;
/** A line that scores less is an ordinary one. */
const minOdd = 0.3;
/** What a line is worth because it is the only one of its shape, and what more when it hints at a failure. */
const oddWorth = 2.6;
const oddHintWorth = 3.5;
/** Odd lines matter even outside of failing steps. */
const oddPlace = 0.5;

/** What each line is worth, by its words, where it stands, and how often the like of it was said. */
export function scoreLines({ bare: whole, weights: weighed }: ReadLines): ScoredLines {
  const bare = whole.map((line) => (line.length > matchedLength ? line.slice(0, matchedLength) : line));
  const weights = [...weighed.failure];
  const lineShapes = new LineShapes(bare);
  const oddnesses = oddness(bare, weighed.withHints, lineShapes);
  const steps = failingSteps(bare);
  const place = placesIn(bare, steps);
  const lifted = liftedBy(bare, weights, steps);
  const scores = weights.map((weight, i) => (weight + lifted[i]!) * place[i]!);
  oddnesses.forEach((odd, i) => {
    if (odd < minOdd || isBoilerplate(bare[i]!)) return;
    const worth = weighed.withHints[i]! >= 1 ? oddHintWorth : oddWorth;
    scores[i]! += odd * worth * Math.max(oddPlace, place[i]!);
  });
  const isInStep = (i: number): boolean => place[i]! >= beforePart && !isBoilerplate(bare[i]!);
  const markers = steps.map((step) => step.marker).filter((i) => i < bare.length);
  const isQuiet = markers.length === 0 && !weights.some((weight) => weight >= minFailure);
  const byWords = isQuiet ? oddnessByWords(oddnesses, lineShapes) : oddnesses;
  const odd = oddLines(bare, isInStep, weighed, byWords);
  const shapes = discountRepeats(bare, weights, scores, lineShapes);
  return { scores, weights, isQuiet, markers, bare, shapes, odd };
}

/** The share of its worth that a line has where it stands. */
function placesIn(bare: readonly string[], steps: readonly FailingStep[]): Float32Array {
  const place = new Float32Array(bare.length).fill(elsewhere);
  for (const { first, part, last } of steps) {
    place.fill(beforePart, first, part);
    place.fill(1, part, last + 1);
  }
  return place;
}

/** What lines are worth for standing next to a place where something failed. */
function liftedBy(
  bare: readonly string[],
  weights: readonly number[],
  steps: readonly FailingStep[],
): Float32Array {
  const lifted = new Float32Array(bare.length);
  const lift = (from: number, { worth, reach, step }: Lift, first = 0): void => {
    let seen = 0;
    const end = from + step * reach * 4;
    for (let i = from; i >= first && i < bare.length && i !== end && seen < reach; i += step) {
      if (bare[i]!.trim() === '' || isBoilerplate(bare[i]!)) continue;
      const closeness = 1 - seen++ / reach;
      lifted[i] = Math.max(lifted[i]!, worth * closeness * closeness);
    }
  };
  for (const { first, last } of steps) lift(last, lifts.endOfStep, first);
  bare.forEach((line, i) => {
    if (weights[i]! > 0 && isToolMarker(line)) lift(i - 1, lifts.toolFailed);
    if (usageLine.test(line)) lift(i - 1, lifts.usage);
    if (weights[i]! >= announces && isHeading(line)) lift(i + 1, lifts.heading);
  });
  return lifted;
}

/** Lowers the scores of what was said before, in the same words or in like ones; gives the shapes of lines by line. */
function discountRepeats(
  bare: readonly string[],
  weights: readonly number[],
  scores: number[],
  lineShapes: LineShapes,
): Map<number, number> {
  const all = lineShapes.of(new Uint8Array(bare.length), shapedWords);
  const shapes = new Map<number, number>();
  const total = new Map<number, number>();
  bare.forEach((_, i) => {
    if (scores[i]! < minShaped) return;
    const shape = all[i]!;
    shapes.set(i, shape);
    total.set(shape, (total.get(shape) ?? 0) + 1);
  });
  const seen = new Map<number, number>();
  const texts = new Set<string>();
  const most = Math.max(commonLines, bare.length * commonShare);
  for (const [i, shape] of shapes) {
    const times = (seen.get(shape) ?? 0) + 1;
    seen.set(shape, times);
    if (times > 2) scores[i] = (scores[i]! * 2) / times;
    if (texts.has(bare[i]!)) scores[i] = scores[i]! * again;
    texts.add(bare[i]!);
    // What most lines say is how this log talks, not why it ends.
    if (weights[i]! < outright && total.get(shape)! > most) scores[i] = scores[i]! * again;
  }
  return shapes;
}
