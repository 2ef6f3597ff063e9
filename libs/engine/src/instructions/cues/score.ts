import { bias, weightsByCue } from './weights.js';
import { eachCue, type Verdicts } from './cues-of.js';
import { readWeights } from './read-weights.js';

const cues = readWeights(weightsByCue);
const placeOf = new Map(cues.map(({ name }, i) => [name, i]));
const weights = Float64Array.from(cues, ({ weight }) => weight);
/** The number of the sentence in which each cue was seen last, so that it counts once in each. */
const seenIn = new Float64Array(cues.length);
let sentences = 0;

/**
 * How much a sentence looks like a standing instruction: above 0 more than like anything else. The sum of what its
 * cues weigh, by the root of how many there are. `verdicts`: what other parts of the detector make of it.
 */
export function scoreOf(sentence: string, verdicts: Verdicts): number {
  let sum = 0;
  let known = 0;
  sentences++;
  eachCue(sentence, verdicts, (cue) => {
    const place = placeOf.get(cue);
    if (place === undefined || seenIn[place] === sentences) return;
    seenIn[place] = sentences;
    sum += weights[place]!;
    known++;
  });
  return bias + (3 * sum) / Math.sqrt(Math.max(1, known));
}
