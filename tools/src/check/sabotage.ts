import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../repository.js';
import type { Say } from './check.js';
import { formatted } from '../formatted.js';
import { openFindings, reviewDocument, sabotageDocument, unknownFindings } from '../sabotage/documents.js';
import { guards } from '../sabotage/guards.js';
import { complaintOf } from '../sabotage/guard-files.js';
import { readResults, resultOf } from '../sabotage/results.js';

/**
 * The quick part of `npm run sabotage`: the text of each guard and its test exist, no run has seen a guard missed, the
 * tables are what the recorded results say, and each finding of the review has a repair or an answer. A guard that was
 * not tried since it was written or changed is a complaint; `npm run sabotage -- --missing` tries it.
 */
export async function checkSabotage(say: Say): Promise<string[]> {
  const results = await readResults();
  const complaints = (await Promise.all(guards.map((guard) => complaintOf(repository, guard)))).filter(
    (complaint) => complaint !== null,
  );
  const names = guards.map(({ name }) => name);
  for (const name of new Set(names.filter((one, i) => names.indexOf(one) !== i)))
    complaints.push(`two guards are called "${name}"`);
  for (const guard of guards) {
    const result = resultOf(guard, results);
    if (result === undefined)
      complaints.push(`${guard.name}: not tried in its current form: npm run sabotage -- --missing`);
    else if (result !== 'failed')
      complaints.push(`${guard.name}: its test does not notice when it is removed`);
  }
  for (const id of openFindings(guards)) complaints.push(`${id}: has neither a repair nor an answer`);
  for (const id of unknownFindings(guards)) complaints.push(`${id}: is no finding`);
  for (const [path, expected] of [
    ['docs/sabotage.md', sabotageDocument(guards, results)],
    ['docs/review.md', reviewDocument(guards, results)],
  ] as const)
    if (
      (await readFile(join(repository, path), 'utf8').catch(() => '')) !== (await formatted(path, expected))
    )
      complaints.push(`${path} is not what the recorded results say: npm run sabotage -- --missing`);
  say(`${guards.length} guards, each seen caught in its current form`);
  return complaints;
}
