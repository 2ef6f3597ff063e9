import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { learnWeights, weightsFile } from '../cues/learn.js';
import { repository } from '../repository.js';
import type { Say } from './check.js';

/** The weights of cues are made, never written: they are those that the labelled sentences give. */
export async function checkCues(say: Say): Promise<string[]> {
  const { source, report } = learnWeights();
  say(report);
  const committed = await readFile(join(repository, weightsFile), 'utf8');
  return committed === source
    ? []
    : [`${weightsFile} is not what its sentences and the trainer make: run npm run cues`];
}
