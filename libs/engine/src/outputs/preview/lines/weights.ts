import { weighLine, type LineWeight } from '../failure/failure-rules.js';
import { matchedLength } from './clean-line.js';

/** What lines weigh by what they say of failures, by line. */
export interface Weights {
  /** By the rules, from 0 to 10. */
  failure: Float32Array;
  /** The same, or what a hint weighs where no rule weighs more. */
  withHints: Float32Array;
}

/** Short lines repeat each other; a text has few of them that do, or the rest do not matter. */
const rememberedLength = 100;
const maxRemembered = 5_000;

/** Weighs each line by its start and its end; what stands between in a long line goes unseen. */
export function weightsOf(lines: readonly string[]): Weights {
  const failure = new Float32Array(lines.length);
  const withHints = new Float32Array(lines.length);
  const known = new Map<string, LineWeight>();
  lines.forEach((line, i) => {
    if (line === '') return;
    const weight = known.get(line) ?? weigh(line);
    if (line.length <= rememberedLength && known.size < maxRemembered) known.set(line, weight);
    failure[i] = weight.failure;
    withHints[i] = weight.withHints;
  });
  return { failure, withHints };
}

function weigh(line: string): LineWeight {
  if (line.length <= matchedLength) return weighLine(line);
  const start = weighLine(line.slice(0, matchedLength));
  const end = weighLine(line.slice(Math.max(matchedLength, line.length - matchedLength)));
  return {
    failure: Math.max(start.failure, end.failure),
    withHints: Math.max(start.withHints, end.withHints),
  };
}
