import { adaptersPage, missingCases, suite } from '../adapters/document.js';
import { adapterPackages } from '../adapters/packages.js';
import { staleFiles } from '../generated-files.js';
import { results, testsOf } from '../last-run/results.js';
import type { Say } from './check.js';

/** Each adapter passed each case in the last `npm test`, and docs/adapters.md is what that run says. */
export async function checkAdapters(say: Say): Promise<string[]> {
  const tested = await testsOf(suite, results);
  if (!tested) return [`${suite} is not in ${results}: run npm test first`];
  const packages = await adapterPackages();
  say(`${packages.length} adapters`);
  const stale = await staleFiles([await adaptersPage(packages, tested)], 'npm run adapters');
  return [...missingCases(packages, tested), ...stale];
}
