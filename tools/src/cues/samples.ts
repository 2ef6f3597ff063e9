import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sentencesIn } from '@spillway/engine';
import { loadSamples } from '@spillway/testing';
import type { GeneratedFile } from '../generated-files.js';
import { repository } from '../repository.js';

/** A source of weights, as it follows from what is in the repository. */
export interface Learnt extends GeneratedFile {
  /** What it was made of. */
  report: string;
}

/** Halves with pairs of an older and a newer instruction to learn from. Those called unseen measure alone. */
export const halvesOfPairs = ['tuned', 'checked', 'pairs', 'voices', 'changes'];

/** Pairs that are so many and so short that as sentences they teach nothing more (ADR 168). */
export const pairsAlone = 'changes';

/** The rows of a file of labelled samples. */
export const readSamples = <T>(half: string, file: string): T[] =>
  readFileSync(join(repository, 'libs/engine/instruction-samples', half, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/** What users say in the recorded threads of this repository, each sentence once. */
export const sentencesOfUsers = (): string[] => [
  ...new Set(
    loadSamples()
      .flatMap(({ messages }) => messages)
      .filter(({ role, content }) => role === 'user' && typeof content === 'string')
      .flatMap(({ content }) => sentencesIn(content as string))
      .filter(({ text, isRule }) => !isRule && text.length < 400)
      .map(({ text }) => text),
  ),
];
