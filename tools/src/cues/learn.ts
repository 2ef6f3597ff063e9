import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindByRules, sentencesIn } from '@spillway/engine';
import { loadSamples } from '@spillway/testing';
import { repository } from '../repository.js';
import { sourceOf, train, type Labelled } from './train.js';

/** Halves that the weights are learnt from. The others measure what the weights make of unseen sentences. */
const halves = ['tuned', 'checked', 'varied', 'plain', 'registers', 'domains'];
/** Halves with whole messages, in which an instruction stands among other sentences. */
const halvesOfMessages = ['checked', 'registers'];
/** Sentences of real users are many and much alike. */
const worthOfReal = 1;

const samples = join(repository, 'libs/engine/instruction-samples');

/** Where the weights are committed. */
export const weightsFile = 'libs/engine/src/instructions/cues/weights.ts';

interface Sample {
  text: string;
  why?: string;
}

interface SampleMessage extends Sample {
  instructions: string[];
}

const read = <T extends Sample>(half: string, file: string): T[] =>
  readFileSync(join(samples, half, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/** The sentences of a labelled message: those that are named are instructions, the others are not. */
const sentencesOf = ({ text, instructions }: SampleMessage): Labelled[] =>
  sentencesIn(text)
    .filter(({ isRule }) => !isRule)
    .map((sentence) => ({
      text: sentence.text,
      isInstruction: instructions.some((one) => sentence.text.includes(one) || one.includes(sentence.text)),
      worth: 1,
    }));

/** Sentences with a label, and what users say in the recorded threads of this repository where the rules find nothing. */
function sentencesToLearnFrom(): { labelled: Labelled[]; real: Labelled[] } {
  const alone = halves.flatMap((half) => [
    ...read(half, 'instructions.jsonl').map(({ text }) => ({ text, isInstruction: true, worth: 1 })),
    // What holds for the task in hand may be kept or not.
    ...read(half, 'negatives.jsonl')
      .filter(({ why }) => why !== 'task_constraint')
      .map(({ text }) => ({ text, isInstruction: false, worth: 1 })),
  ]);
  const withinMessages = halvesOfMessages.flatMap((half) =>
    read<SampleMessage>(half, 'messages.jsonl').flatMap(sentencesOf),
  );
  // The recorded threads hold some instructions that the rules do not find: those are labelled.
  const known = new Set(alone.map(({ text }) => text));
  const sentences = new Set(
    loadSamples()
      .flatMap(({ messages }) => messages)
      .filter(({ role, content }) => role === 'user' && typeof content === 'string')
      .flatMap(({ content }) => sentencesIn(content as string))
      .filter(({ text, isRule }) => !isRule && text.length < 400)
      .filter(({ text }) => !known.has(text) && kindByRules(text) === null)
      .map(({ text }) => text),
  );
  const real = [...sentences].map((text) => ({ text, isInstruction: false, worth: worthOfReal }));
  return { labelled: [...alone, ...withinMessages], real };
}

/** The weights' source as it follows from what is in the repository, and what was read for it. Takes about a second. */
export function learnWeights(): { source: string; report: string } {
  const { labelled, real } = sentencesToLearnFrom();
  const weights = train([...labelled, ...real]);
  const report = `${labelled.length} labelled sentences, ${real.length} of real users: ${weights.cues.length} cues`;
  return { source: sourceOf(weights), report };
}
