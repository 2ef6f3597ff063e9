import { readFile } from 'node:fs/promises';
import { metricsPage, metricsPagePath } from './page.js';

/** docs/operations/metrics.md has every metric of the catalogue, as it is. */
export async function checkMetricsPage(): Promise<string[]> {
  const page = await readFile(metricsPagePath, 'utf8');
  return page === (await metricsPage()) ? [] : ['docs/operations/metrics.md is stale: run npm run generate'];
}
