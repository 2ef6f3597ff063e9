import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { learnAll } from '../cues/learn.js';
import { repository } from '../repository.js';
import type { Say } from './check.js';

/** The weights of cues are made, never written: they are those that the labelled samples give. */
export async function checkCues(say: Say): Promise<string[]> {
  const problems: string[] = [];
  for (const { file, source, report } of learnAll()) {
    say(report);
    const committed = await readFile(join(repository, file), 'utf8');
    if (committed !== source)
      problems.push(`${file} is not what its samples and the trainer make: run npm run cues`);
  }
  return problems;
}
