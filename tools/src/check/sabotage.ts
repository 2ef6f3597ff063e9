import { staleFiles } from '../generated-files.js';
import { repository } from '../repository.js';
import type { Say } from './check.js';
import { openFindings, sabotagePages, unknownFindings } from '../sabotage/documents.js';
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
  say(`${guards.length} guards`);
  const pages = await sabotagePages(guards, results);
  return [...complaints, ...(await staleFiles(pages, 'npm run sabotage -- --missing'))];
}
