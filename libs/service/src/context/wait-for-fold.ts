import { setTimeout as sleep } from 'node:timers/promises';
import { readThread } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** Milliseconds between two looks at the thread: short at first, because an extractive fold takes 10 to 100 ms. */
const firstPauseMs = 15;
const maxPauseMs = 250;

/**
 * Waits until the compaction that is due or running has ended, at most `ms`. Returns at once for a thread that is idle,
 * backing off, parked or unknown.
 */
export async function waitForFold(
  rt: Runtime,
  { projectId, threadId }: { projectId: string; threadId: string },
  ms: number,
): Promise<void> {
  const until = performance.now() + ms;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)) {
    const thread = await readThread(rt.store.query, projectId, threadId);
    if (thread?.state !== 'due' && thread?.state !== 'running') return;
    const leftMs = until - performance.now();
    if (leftMs <= 0) return;
    await sleep(Math.min(pauseMs, leftMs));
  }
}
