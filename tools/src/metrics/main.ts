import { writeFile } from 'node:fs/promises';
import { metricsPage, metricsPagePath } from './page.js';

/** Writes docs/metrics.md. */
await writeFile(metricsPagePath, await metricsPage());
