import { areRelated, gistOf, pairCues } from '@spillway/engine';
import { halvesOfPairs, readSamples, sentencesOfUsers, type Learnt } from './samples.js';
import { sourceOf, train, type Labelled } from './train.js';

/** Halves whose instructions are paired by chance: nearly all such pairs hold side by side. */
const halvesOfInstructions = ['tuned', 'checked', 'varied', 'registers', 'domains', 'voices'];
const chancePairs = { instructions: 6_000, sentencesOfUsers: 1_000 };

interface Pair {
  old: string;
  new: string;
  retires: boolean;
}

/**
 * Pairs that a fixed row of numbers picks: the same in each run. Both have something in common, because two that have
 * nothing are never weighed.
 */
function pairedByChance(texts: readonly string[], pairs: number): Pair[] {
  const gists = texts.map((text) => ({ text, gist: gistOf(text) }));
  let state = 7;
  const pick = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return gists[(state >>> 8) % gists.length]!;
  };
  const found: Pair[] = [];
  while (found.length < pairs) {
    const [older, newer] = [pick(), pick()];
    if (older.text !== newer.text && areRelated(older.gist, newer.gist))
      found.push({ old: older.text, new: newer.text, retires: false });
  }
  return found;
}

/** What makes a newer instruction look like the last word on an older one's matter. */
export function learnPairs(): Learnt {
  const labelled = halvesOfPairs.flatMap((half) => readSamples<Pair>(half, 'updates.jsonl'));
  const instructions = halvesOfInstructions
    .flatMap((half) => readSamples<{ text: string }>(half, 'instructions.jsonl'))
    .map(({ text }) => text);
  const chance = [
    ...pairedByChance(instructions, chancePairs.instructions),
    ...pairedByChance(sentencesOfUsers(), chancePairs.sentencesOfUsers),
  ];
  const rows = [...labelled, ...chance].map((pair): Labelled => ({
    cues: pairCues(gistOf(pair.old), gistOf(pair.new)),
    isOne: pair.retires,
    worth: 1,
  }));
  const weights = train(rows, { minRows: 4, decay: 1e-4, maxCues: 16_000 });
  return {
    path: 'libs/engine/src/instructions/replacement/weights.ts',
    text: sourceOf(weights, {
      what: 'pair',
      above: 'say that the newer instruction replaces the older',
      below: 'that both hold',
    }),
    report: `${labelled.length} labelled pairs of instructions, ${chance.length} by chance: ${weights.cues.length} cues`,
  };
}
