import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindByRules, sentencesIn } from '@spillway/engine';
import { loadSamples } from '@spillway/testing';
import { repository } from '../repository.js';
import { sourceOf, train, type Labelled } from './train.js';

/** Halves that the weights are learnt from. The others measure what the weights make of unseen sentences. */
const halves = ['tuned', 'checked', 'varied', 'plain'];
/** Sentences of real users are many and much alike. */
const worthOfReal = 0.5;

const samples = join(repository, 'libs/engine/instruction-samples');

/** Where the weights are committed. */
export const weightsFile = 'libs/engine/src/instructions/cues/weights.ts';

interface Sample {
  text: string;
  why?: string;
}

const read = (half: string, file: string): Sample[] =>
  readFileSync(join(samples, half, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample);

/** Sentences with a label, and what users say in the recorded threads of this repository where the rules find nothing. */
function sentencesToLearnFrom(): { labelled: Labelled[]; real: Labelled[] } {
  const labelled = halves.flatMap((half) => [
    ...read(half, 'instructions.jsonl').map(({ text }) => ({ text, isInstruction: true, worth: 1 })),
    // What holds for the task in hand may be kept or not.
    ...read(half, 'negatives.jsonl')
      .filter(({ why }) => why !== 'task_constraint')
      .map(({ text }) => ({ text, isInstruction: false, worth: 1 })),
  ]);
  const sentences = new Set(
    loadSamples()
      .flatMap(({ messages }) => messages)
      .filter(({ role, content }) => role === 'user' && typeof content === 'string')
      .flatMap(({ content }) => sentencesIn(content as string))
      .filter(({ text, isRule }) => !isRule && text.length < 400)
      .filter(({ text }) => kindByRules(text) === null)
      .map(({ text }) => text),
  );
  const real = [...sentences].map((text) => ({ text, isInstruction: false, worth: worthOfReal }));
  return { labelled, real };
}

/** The weights' source as it follows from what is in the repository, and what was read for it. Takes about a second. */
export function learnWeights(): { source: string; report: string } {
  const { labelled, real } = sentencesToLearnFrom();
  const weights = train([...labelled, ...real]);
  const report = `${labelled.length} labelled sentences, ${real.length} of real users: ${weights.cues.length} cues`;
  return { source: sourceOf(weights), report };
}
