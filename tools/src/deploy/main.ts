import '@spillway/node-version/require';
import { writeGenerated } from '../generated-files.js';
import { chartFiles } from './chart/chart-files.js';

/** Writes the files of the Helm chart that follow from others. */
await writeGenerated(await chartFiles());
