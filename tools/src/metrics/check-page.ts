import { staleFiles } from '../generated-files.js';
import { metricsPage } from './page.js';

/** docs/operations/metrics.md has every metric of the catalogue, as it is. */
export const checkMetricsPage = async (): Promise<string[]> =>
  staleFiles([await metricsPage()], 'npm run generate');
