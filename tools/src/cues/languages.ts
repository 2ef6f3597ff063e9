import { cuesOfAnyLanguage } from '@spillway/engine';
import { readSamples, type Learnt } from './samples.js';
import { sentencesToLearnFrom } from './sentences.js';
import { sourceOf, train, type Labelled } from './train.js';

/** The half in languages other than English. */
const half = 'languages';

/** A sentence in one of them, by its ISO 639 code. */
interface Sample {
  language: string;
  text: string;
}

const sentences = (file: string): string[] => readSamples<Sample>(half, file).map(({ text }) => text);

const rowOf = (text: string, isOne: boolean): Labelled => ({
  cues: cuesOfAnyLanguage(text),
  isOne,
  worth: 1,
});

/** What makes a sentence of another language look like a standing instruction. */
export function learnOtherLanguages(): Learnt {
  const rows = [
    ...sentences('instructions.jsonl').map((text) => rowOf(text, true)),
    ...sentences('negatives.jsonl').map((text) => rowOf(text, false)),
  ];
  const weights = train(rows, { minRows: 2, decay: 5e-5, maxCues: 20_000 });
  return {
    path: 'libs/engine/src/instructions/languages/weights.ts',
    text: sourceOf(weights, { above: 'speak for a standing instruction', below: 'against it' }),
    report: `${rows.length} labelled sentences in other languages: ${weights.cues.length} cues`,
  };
}

/** What tells English from other languages. */
export function learnEnglish(): Learnt {
  const { labelled, real } = sentencesToLearnFrom();
  const rows = [
    ...[...labelled, ...real].map(({ text }) => rowOf(text, true)),
    ...['instructions.jsonl', 'negatives.jsonl'].flatMap(sentences).map((text) => rowOf(text, false)),
  ];
  const weights = train(rows, { minRows: 3, decay: 5e-6, maxCues: 8_000 });
  return {
    path: 'libs/engine/src/instructions/languages/english-weights.ts',
    text: sourceOf(weights, { above: 'speak for English', below: 'for another language' }),
    report: `${rows.length} sentences of all languages: ${weights.cues.length} cues`,
  };
}
