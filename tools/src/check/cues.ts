import { learnAll } from '../cues/learn.js';
import { staleFiles } from '../generated-files.js';
import type { Say } from './check.js';

/** The weights of cues are made, never written: they are those that the labelled samples give. */
export async function checkCues(say: Say): Promise<string[]> {
  const learnt = learnAll();
  for (const { report } of learnt) say(report);
  return staleFiles(learnt, 'npm run cues');
}
