import { z } from 'zod';
import { defineJob, type Outcome, type ReportProgress } from './job.js';

/** All background jobs. */
export const catalogue = {
  /** Folds a thread that is due into its next summary: this one, when its project's turn has come. */
  'compact-thread': defineJob({
    payload: z.object({
      projectId: z.uuid(),
      threadId: z.string(),
      /** Of the request that the thread fell due in, as W3C trace context; missing when it was not traced. */
      traceparent: z.string().max(200).optional(),
    }),
    concurrency: 8,
  }),
  /** Expires outputs by age, then oldest first over the byte budget, and removes their bytes. */
  'sweep-outputs': defineJob({ payload: z.object({}), concurrency: 1, everyMs: 60_000 }),
  /** Removes blobs without a row. */
  'sweep-storage': defineJob({ payload: z.object({}), concurrency: 1, everyMs: 3_600_000 }),
};

export type JobName = keyof typeof catalogue;
export type Payload<Name extends JobName> = z.infer<(typeof catalogue)[Name]['payload']>;

/** Interval of each repeated job. */
export type Schedule = Partial<Record<JobName, number>>;
export const schedule: Schedule = Object.fromEntries(
  Object.entries(catalogue).flatMap(([name, { everyMs }]) =>
    everyMs === undefined ? [] : [[name, everyMs]],
  ),
);

/** One handler for each job: a job without one does not compile. */
export type Handlers = {
  [Name in JobName]: (payload: Payload<Name>, progress: ReportProgress) => Promise<Outcome>;
};
