import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adaptersDocument, missingCases, suite } from '../adapters/document.js';
import { adapterPackages } from '../adapters/packages.js';
import { repository } from '../repository.js';
import type { Say } from './check.js';
import { formatted } from '../formatted.js';
import { results, testsOf } from '../last-run/results.js';

/** Each adapter passed each case in the last `npm test`, and docs/adapters.md is what that run says. */
export async function checkAdapters(say: Say): Promise<string[]> {
  const path = 'docs/adapters.md';
  const tested = await testsOf(suite, results);
  if (!tested) return [`${suite} is not in ${results}: run npm test first`];
  const packages = await adapterPackages();
  const complaints = missingCases(packages, tested);
  const expected = await formatted(path, adaptersDocument(packages, tested));
  if ((await readFile(join(repository, path), 'utf8').catch(() => '')) !== expected)
    complaints.push(`${path} is not what the last npm test says: npm run adapters`);
  say(`${packages.length} adapters`);
  return complaints;
}
