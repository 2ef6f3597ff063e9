import { Worker } from 'node:worker_threads';
import { addReports, type LivesReport } from './run-lives.js';

/** The part of a seed's lives that one thread runs. */
export interface Share {
  seed: bigint;
  steps: number;
  first: number;
  every: number;
}

/** All lives of a seed, shared among threads. Rejects with the first promise that was seen broken. */
export async function simulate(seed: bigint, steps: number, threads = 1): Promise<LivesReport> {
  const shares = Array.from({ length: threads }, (_, first) => ({ seed, steps, first, every: threads }));
  const running = shares.map(start);
  try {
    return (await Promise.all(running.map(({ report }) => report))).reduce(addReports);
  } finally {
    await Promise.all(running.map(({ thread }) => thread.terminate()));
  }
}

function start(share: Share): { thread: Worker; report: Promise<LivesReport> } {
  const thread = new Worker(new URL('./lives-thread.js', import.meta.url), { workerData: share });
  const report = new Promise<LivesReport>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
  return { thread, report };
}
