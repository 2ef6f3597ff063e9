import '@spillway/node-version/require';
import { writeGenerated } from '../generated-files.js';
import { metricsPage } from './page.js';

/** Writes docs/operations/metrics.md. */
await writeGenerated([await metricsPage()]);
