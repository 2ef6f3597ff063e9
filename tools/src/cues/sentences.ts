import { cuesOf, kindByRules, sentencesIn } from '@spillway/engine';
import { halvesOfPairs, pairsAlone, readSamples, sentencesOfUsers, type Learnt } from './samples.js';
import { sourceOf, train } from './train.js';

/** Halves that the weights are learnt from. The others measure what the weights make of unseen sentences. */
const halves = ['tuned', 'checked', 'varied', 'plain', 'registers', 'domains', 'voices'];
/** Each sentence of a pair is an instruction. They are many and short. */
const worthOfPaired = 0.3;
/** The half of ordinary talk in the middle of tasks, which has no instruction. */
const halfOfTalk = 'talk';
/** Halves with whole messages, in which an instruction stands among other sentences. */
const halvesOfMessages = ['checked', 'registers'];

export interface LabelledSentence {
  text: string;
  isInstruction: boolean;
  worth: number;
}

interface Sample {
  text: string;
  why?: string;
}

interface SampleMessage extends Sample {
  instructions: string[];
}

/** The sentences of a labelled message: those that are named are instructions, the others are not. */
const sentencesOf = ({ text, instructions }: SampleMessage): LabelledSentence[] =>
  sentencesIn(text)
    .filter(({ isRule }) => !isRule)
    .map((sentence) => ({
      text: sentence.text,
      isInstruction: instructions.some((one) => sentence.text.includes(one) || one.includes(sentence.text)),
      worth: 1,
    }));

/** Sentences with a label, and what users say in the recorded threads of this repository where the rules find nothing. */
export function sentencesToLearnFrom(): { labelled: LabelledSentence[]; real: LabelledSentence[] } {
  const alone = halves.flatMap((half) => [
    ...readSamples<Sample>(half, 'instructions.jsonl').map(({ text }) => ({
      text,
      isInstruction: true,
      worth: 1,
    })),
    ...othersOf(half),
  ]);
  const withinMessages = halvesOfMessages.flatMap((half) =>
    readSamples<SampleMessage>(half, 'messages.jsonl').flatMap(sentencesOf),
  );
  // The recorded threads hold some instructions that the rules do not find: those are labelled.
  const known = new Set(alone.map(({ text }) => text));
  const real = sentencesOfUsers()
    .filter((text) => !known.has(text) && kindByRules(text) === null)
    .map((text) => ({ text, isInstruction: false, worth: 1 }));
  const paired = pairedInstructions().filter((text) => !known.has(text));
  return {
    labelled: [
      ...alone,
      ...othersOf(halfOfTalk),
      ...withinMessages,
      ...paired.map((text) => ({ text, isInstruction: true, worth: worthOfPaired })),
    ],
    real,
  };
}

const pairedInstructions = (): string[] => [
  ...new Set(
    halvesOfPairs
      .filter((half) => half !== pairsAlone)
      .flatMap((half) => readSamples<{ old: string; new: string }>(half, 'updates.jsonl'))
      .flatMap((pair) => [pair.old, pair.new]),
  ),
];

/** Sentences that are no instruction. What holds for the task in hand may be kept or not, so it is not among them. */
const othersOf = (half: string): LabelledSentence[] =>
  readSamples<Sample>(half, 'negatives.jsonl')
    .filter(({ why }) => why !== 'task_constraint')
    .map(({ text }) => ({ text, isInstruction: false, worth: 1 }));

/** What makes a sentence look like a standing instruction. */
export function learnSentences(): Learnt {
  const { labelled, real } = sentencesToLearnFrom();
  const rows = [...labelled, ...real].map(({ text, isInstruction, worth }) => ({
    cues: cuesOf(text),
    isOne: isInstruction,
    worth,
  }));
  const weights = train(rows, { minRows: 3, decay: 5e-6, maxCues: 30_000 });
  return {
    path: 'libs/engine/src/instructions/cues/weights.ts',
    text: sourceOf(weights, { above: 'speak for a standing instruction', below: 'against it' }),
    report: `${labelled.length} labelled sentences, ${real.length} of real users: ${weights.cues.length} cues`,
  };
}
