import type { RuledOut } from '../ruled-out.js';
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
 * cues weigh, by the root of how many there are. `ruledOut`: as in `cuesOf`.
 */
export function scoreOf(sentence: string, ruledOut?: RuledOut | null): number {
  let sum = 0;
  let known = 0;
  for (const cue of cuesOf(sentence, ruledOut)) {
    const weight = weights.get(cue);
    if (weight === undefined) continue;
    sum += weight;
    known++;
  }
  return bias + (3 * sum) / Math.sqrt(Math.max(1, known));
}
