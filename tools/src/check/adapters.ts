import { adaptersPage, missingCases, suite } from '../adapters/document.js';
import { adapterPackages } from '../adapters/packages.js';
import { staleFiles } from '../generated-files.js';
import { results, testsOf } from '../last-run/results.js';
import type { Say } from './check.js';

/** Each adapter passed each case that the last run had, and docs/adapters.md is what that run says. */
export async function checkAdapters(say: Say): Promise<string[]> {
  const tested = await testsOf(suite, results);
  if (!tested) return [`${suite} is not in ${results}: run npm test first`];
  const packages = await adapterPackages();
  const left = tested.filter(({ status }) => status === 'long').length;
  say(`${packages.length} adapters${left === 0 ? '' : `, ${left} cases left to npm run test:all`}`);
  // Of a case that this run left out the page has what the run before it wrote: that it passed.
  const known = tested.map((result) => (result.status === 'long' ? { ...result, status: 'passed' } : result));
  const stale = await staleFiles([await adaptersPage(packages, known)], 'npm run adapters');
  return [...missingCases(packages, known), ...stale];
}
