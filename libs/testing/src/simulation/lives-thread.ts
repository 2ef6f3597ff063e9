import { parentPort, workerData } from 'node:worker_threads';
import { runLives } from './run-lives.js';
import type { Share } from './in-threads.js';

/** Lives take over time and chance of the thread they run in, so they have one of their own. */
const { seed, steps, first, every } = workerData as Share;
parentPort!.postMessage(await runLives(seed, steps, { first, every }));
