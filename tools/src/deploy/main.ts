import '@spillway/node-version/require';
import { writeFile } from 'node:fs/promises';
import { chartFiles } from './chart/chart-files.js';

/** Writes the files of the Helm chart that follow from others. */
for (const [path, text] of await chartFiles()) await writeFile(path, text);
