import { createHash } from 'node:crypto';
import fs, { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { learnAll } from '../cues/learn.js';
import { staleFiles } from '../generated-files.js';
import { repository } from '../repository.js';
import type { Say } from './check.js';

/** What the weights follow from: the programs, the labelled sentences and the recorded threads. */
const inputs = [
  'tools/src/cues/**/*.ts',
  'libs/engine/src/**/*.ts',
  'libs/engine/instruction-samples/**/*',
  'libs/testing/src/trajectories.ts',
  'samples/**/*',
  'package-lock.json',
];

/** Where reports of states that were found in order are kept, by the hash of their inputs. */
const kept = '.cache/cues';

/**
 * The weights of cues are made, never written: they are those that the labelled samples give. To learn them takes half a
 * minute of CPU, so it is done once for each state of the inputs, which the weights themselves are part of.
 */
export async function checkCues(say: Say): Promise<string[]> {
  const report = join(repository, kept, inputHash());
  if (existsSync(report)) {
    for (const line of readFileSync(report, 'utf8').split('\n')) say(line);
    return [];
  }
  const learnt = learnAll();
  for (const { report } of learnt) say(report);
  const complaints = await staleFiles(learnt, 'npm run cues');
  if (complaints.length > 0) return complaints;
  await mkdir(join(repository, kept), { recursive: true });
  await writeFile(report, learnt.map((one) => one.report).join('\n'));
  return [];
}

function inputHash(): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of fs.globSync(inputs, { cwd: repository }).toSorted()) {
    const file = join(repository, path);
    if (fs.statSync(file).isFile()) hash.update(`\n${path}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
}
