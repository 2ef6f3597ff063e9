import { data } from './data.js';
import { files } from './files.js';
import type { OddLine } from './odd-line.js';
import { runs } from './runs.js';

/** Texts of every kind in which one record is unlike the others: no kind may hide it. */
export const oddLines: readonly OddLine[] = [...runs, ...data, ...files];
