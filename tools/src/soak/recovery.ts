import { queueKeysOf, until } from '@spillway/testing';
import type { Sample } from './samples.js';
import type { World } from './world.js';

const readyWithinMs = 30_000;
/** How long a due thread may wait for a worker during faults. */
const maxWaitSeconds = 120;

/** After a repair every API becomes ready by itself; returns what does not. */
export async function unrecovered({ stack }: World, fault: string): Promise<string[]> {
  const each = stack.apis.map(async ({ url }) => {
    const isReady = () =>
      fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
        (response) => response.ok,
        () => false,
      );
    return until(`an API is ready again after ${fault}`, isReady, readyWithinMs).then(
      () => [],
      (error: Error) => [error.message],
    );
  });
  return (await Promise.all(each)).flat();
}

const drainedWithinMs = 60_000;

/** When no thread is due, every hint finds nothing to do: jobs that still wait were lost by their workers. */
export const undrained = ({ redis }: World): Promise<string[]> =>
  until('the queues are drained', async () => (await queueKeysOf(redis)).waiting === 0, drainedWithinMs).then(
    () => [],
    (error: Error) => [error.message],
  );

/** Compaction continues during every fault: no thread is due for long. */
export function standstill(samples: readonly Sample[]): string[] {
  const longest = Math.max(0, ...samples.map((sample) => sample.waitSeconds ?? 0));
  return longest > maxWaitSeconds ? [`a thread waited ${Math.round(longest)} s for a worker`] : [];
}
