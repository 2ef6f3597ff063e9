import '@spillway/node-version/require';
import { writeFile } from 'node:fs/promises';
import { metricsPage, metricsPagePath } from './page.js';

/** Writes docs/operations/metrics.md. */
await writeFile(metricsPagePath, await metricsPage());
