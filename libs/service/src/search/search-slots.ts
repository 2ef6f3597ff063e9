import { SpillwayError } from '@spillway/engine';
import { Semaphore, withTimeout, type SemaphoreInterface } from 'async-mutex';

/** Maximum of concurrent searches of one project: each takes a thread or a database connection. */
const maxOfProject = 2;
/** The same for this process: more threads than cores would only wait for each other. */
const maxOfProcess = 8;
/** Maximum of one project's searches that wait for a slot: an agent asks for a few at once, and so does a page. */
const maxWaiting = 8;
/** Longer than most searches take, and short enough for a caller who holds the connection open. */
const maxWaitMs = 2_000;

const slots = (max: number): SemaphoreInterface => withTimeout(new Semaphore(max), maxWaitMs, refusal());
const ofProcess = slots(maxOfProcess);
const ofProjects = new Map<string, { slots: SemaphoreInterface; searches: number }>();

/**
 * Runs a search in a slot of its project and one of the process. When none is free it waits for one, first come, first
 * served. Throws `too_many_searches` when that takes too long or too many of the project's wait already.
 */
export async function withSearchSlot<T>(projectId: string, search: () => Promise<T>): Promise<T> {
  const own = ofProjects.get(projectId) ?? { slots: slots(maxOfProject), searches: 0 };
  if (own.searches >= maxOfProject + maxWaiting) throw refusal();
  ofProjects.set(projectId, own);
  own.searches++;
  try {
    return await own.slots.runExclusive(() => ofProcess.runExclusive(search));
  } finally {
    own.searches--;
    if (own.searches === 0) ofProjects.delete(projectId);
  }
}

function refusal(): SpillwayError {
  return new SpillwayError(
    'too_many_searches',
    `Too many searches at once: ${maxOfProject} of a project and ${maxOfProcess} of a process run, and ` +
      `${maxWaiting} of a project may wait for ${maxWaitMs / 1_000} s. Try again in 1 s.`,
  );
}
