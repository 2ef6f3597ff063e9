import { parentPort, workerData } from 'node:worker_threads';
import { runLives } from './run-lives.js';
import type { Share } from './in-threads.js';

/** Lives replace time and randomness of their thread, so each worker thread runs its own. */
const { seed, steps, first, every } = workerData as Share;
parentPort!.postMessage(await runLives(seed, steps, { first, every }));
