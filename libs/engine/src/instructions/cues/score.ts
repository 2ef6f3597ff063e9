import { bias, weightsByCue } from './weights.js';
import { cuesOf } from './cues-of.js';

const weights = new Map(
  weightsByCue
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [weight, ...cues] = line.split(' ');
      return cues.map((cue) => [cue, Number(weight)] as const);
    }),
);

/**
 * How much a sentence looks like a standing instruction: above 0 more than like anything else. The sum of what its
 * cues weigh, by the root of how many there are.
 */
export function scoreOf(sentence: string): number {
  const known = [...cuesOf(sentence)].flatMap((cue) => weights.get(cue) ?? []);
  const sum = known.reduce((total, weight) => total + weight, 0);
  return bias + (3 * sum) / Math.sqrt(Math.max(1, known.length));
}
