import { matchedLength, shapeOf } from './clean-line.js';
import { failureWeight, isBoilerplate } from './failure-rules.js';
import { failingSteps, isToolMarker } from './failing-steps.js';

export interface ScoredLines {
  /** What a line is worth where it stands. */
  scores: number[];
  /** What it is worth by its words alone. */
  weights: number[];
  /** Where the runner says that a step failed. */
  markers: number[];
}

/** Lines this far before the end of a failing step are where the reason usually stands. */
const near = 30;
/** The same before a tool says that what it ran failed. */
const nearTool = 8;
/** What a line outside of any failing step is worth. */
const elsewhere = 0.3;

/** What each line is worth, by its words, where it stands, and how often the like of it was said before. */
export function scoreLines(lines: readonly string[]): ScoredLines {
  const cut = lines.map((line) => line.slice(0, matchedLength));
  const weights = cut.map(failureWeight);
  const scores = [...weights];
  const place = new Float32Array(lines.length).fill(elsewhere);
  const lifted = new Float32Array(lines.length);
  const lift = (end: number, first: number, lines_: number, most: number) => {
    let seen = 0;
    for (let i = end; i >= first && seen < lines_; i--) {
      if (cut[i]!.trim() === '' || isBoilerplate(cut[i]!)) continue;
      const closeness = 1 - seen++ / lines_;
      lifted[i] = Math.max(lifted[i]!, most * closeness * closeness);
    }
  };
  const steps = failingSteps(cut);
  for (const { first, last } of steps) {
    place.fill(1, first, last + 1);
    // Even words that no rule knows are the reason when they come last.
    lift(last, first, near, 3.5);
  }
  cut.forEach((line, i) => {
    if (weights[i]! > 0 && isToolMarker(line)) lift(i - 1, 0, nearTool, 2.5);
    // A tool that explains its options was called in a wrong way, and said so just before.
    if (/^\s*(usage|options|synopsis|syntax)\b.{0,3}(:|$)/i.test(line)) lift(i - 1, 0, 3, 4);
  });
  const markers = steps.map((step) => step.marker).filter((i) => i < lines.length);
  const shapes = new Map<string, number>();
  for (let i = 0; i < scores.length; i++) {
    scores[i] = (scores[i]! + lifted[i]!) * place[i]!;
    if (scores[i]! < 2) continue;
    const shape = shapeOf(cut[i]!);
    const times = (shapes.get(shape) ?? 0) + 1;
    shapes.set(shape, times);
    if (times > 2) scores[i] = scores[i]! / times;
  }
  return { scores, weights, markers };
}
