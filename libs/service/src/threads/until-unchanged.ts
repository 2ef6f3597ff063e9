import { SpillwayError } from '@spillway/engine';

/** A thread that changes during each try has more than a race: its caller is told. */
const maxTries = 5;

/**
 * Decides on the rows of a thread and writes, anew until nobody changed the thread in between: an attempt returns
 * undefined when somebody did. Throws `thread_busy` when that keeps happening.
 */
export async function untilUnchanged<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < maxTries; tries++) {
    const done = await attempt();
    if (done !== undefined) return done;
  }
  throw new SpillwayError('thread_busy', 'The thread keeps changing. Retry.');
}
