import { join } from 'node:path';
import { repository } from '../../repository.js';

/** Where the chart is, from the top of the repository. */
export const chartPath = 'deploy/helm/spillway';

export const inChart = (path: string): string => join(repository, chartPath, path);
