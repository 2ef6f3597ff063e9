import { gistOf, pairCues } from '@spillway/engine';
import { readSamples, sentencesOfUsers, type Learnt } from './samples.js';
import { sourceOf, train, type Labelled } from './train.js';

/** Halves with pairs of an older and a newer instruction to learn from. Those called unseen measure alone. */
const halves = ['tuned', 'checked', 'pairs'];
/** Halves whose instructions are paired by chance: nearly all such pairs hold side by side. */
const halvesOfInstructions = ['tuned', 'checked', 'varied', 'registers', 'domains'];
const chancePairs = { instructions: 6_000, sentencesOfUsers: 3_000 };
/** They are many, and easy. */
const worthOfChance = 0.15;

interface Pair {
  old: string;
  new: string;
  retires: boolean;
}

/** Pairs that a fixed row of numbers picks: the same in each run. */
function pairedByChance(texts: readonly string[], pairs: number): Pair[] {
  let state = 7;
  const pick = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return texts[(state >>> 8) % texts.length]!;
  };
  return Array.from({ length: pairs }, () => ({ old: pick(), new: pick(), retires: false })).filter(
    (pair) => pair.old !== pair.new,
  );
}

/** What makes a newer instruction look like the last word on an older one's matter. */
export function learnPairs(): Learnt {
  const labelled = halves.flatMap((half) => readSamples<Pair>(half, 'updates.jsonl'));
  const instructions = halvesOfInstructions
    .flatMap((half) => readSamples<{ text: string }>(half, 'instructions.jsonl'))
    .map(({ text }) => text);
  const chance = [
    ...pairedByChance(instructions, chancePairs.instructions),
    ...pairedByChance(sentencesOfUsers(), chancePairs.sentencesOfUsers),
  ];
  const rowOf =
    (worth: number) =>
    (pair: Pair): Labelled => ({
      cues: pairCues(gistOf(pair.old), gistOf(pair.new)),
      isOne: pair.retires,
      worth,
    });
  const weights = train([...labelled.map(rowOf(1)), ...chance.map(rowOf(worthOfChance))], {
    minRows: 4,
    decay: 2e-3,
  });
  return {
    file: 'libs/engine/src/instructions/replacement/weights.ts',
    source: sourceOf(weights, {
      bias: 'What a pair scores without any cue.',
      weights:
        'A weight, and the cues that have it: above 0 they say that the newer instruction replaces the older, below 0 that both hold.',
    }),
    report: `${labelled.length} labelled pairs of instructions, ${chance.length} by chance: ${weights.cues.length} cues`,
  };
}
