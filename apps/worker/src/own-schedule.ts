import { noProgress, type Handlers, type JobName, type Outcome, type Schedule } from '@spillway/jobs';
import { oneAtATime, type RepeatedWork } from './one-at-a-time.js';

interface ScheduleOptions {
  onError: (job: JobName, error: unknown) => void;
  /** Monotonic milliseconds. */
  clock?: () => number;
}

/**
 * The repeated jobs, by the clock of this process. The worker begins those that are due while Redis, which keeps the
 * schedules, is unavailable. None waits for another. The first run is one interval after the start.
 */
export function ownSchedule(
  schedule: Schedule,
  handlers: Handlers,
  { onError, clock = () => performance.now() }: ScheduleOptions,
): RepeatedWork {
  const repeated = (Object.entries(schedule) as [JobName, number][]).map(([job, everyMs]) => {
    // The payload of a repeated job is empty, as in the schedules that Redis keeps.
    const run = handlers[job] as (payload: object, progress: typeof noProgress) => Promise<Outcome>;
    const work = oneAtATime(() => run({}, noProgress).catch((error: unknown) => onError(job, error)));
    return { everyMs, beganAt: clock(), work };
  });
  return {
    begin() {
      for (const job of repeated) {
        if (clock() - job.beganAt < job.everyMs) continue;
        job.beganAt = clock();
        job.work.begin();
      }
    },
    async idle() {
      await Promise.all(repeated.map(({ work }) => work.idle()));
    },
  };
}
