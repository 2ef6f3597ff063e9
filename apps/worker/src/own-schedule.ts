import { noProgress, type Handlers, type JobName, type Outcome, type Schedule } from '@spillway/jobs';

/** Done at each beat of the reconciler, with Redis too. */
const atEachBeat: JobName = 'deliver-webhooks';

/**
 * Returns a function that runs the repeated jobs that are due by the clock of this process. The worker calls it while
 * Redis, which keeps the schedules, is unavailable. The first run is one interval after the start.
 */
export function ownSchedule(
  schedule: Schedule,
  handlers: Handlers,
  clock: () => number = () => performance.now(),
): () => Promise<void> {
  const repeated = (Object.entries(schedule) as [JobName, number][])
    .filter(([job]) => job !== atEachBeat)
    .map(([job, everyMs]) => ({
      everyMs,
      ranAt: clock(),
      // The payload of a repeated job is empty, as in the schedules that Redis keeps.
      run: handlers[job] as (payload: object, progress: typeof noProgress) => Promise<Outcome>,
    }));
  return async () => {
    for (const job of repeated) {
      if (clock() - job.ranAt < job.everyMs) continue;
      job.ranAt = clock();
      await job.run({}, noProgress);
    }
  };
}
