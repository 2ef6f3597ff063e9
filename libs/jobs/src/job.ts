import type { z } from 'zod';

/** Why a job did nothing, will be retried, or never will: the closed list that the console shows. */
export type Reason =
  | 'not_due'
  | 'lost_cas'
  | 'nothing_to_cut'
  | 'too_little_to_reclaim'
  | 'summary_failed'
  | 'not_prepared'
  | 'provider_paused'
  | 'lease_lost'
  | 'poison'
  | 'too_many_attempts'
  | 'irreducible'
  | 'auth'
  | 'rejected'
  | 'refused'
  | 'compaction_paused'
  | 'shutting_down';

/** The result of a job. An outcome is a value; a handler that throws has a defect. */
export type Outcome = (
  | { kind: 'done' }
  | { kind: 'skipped'; reason: Reason }
  | { kind: 'retry_later'; ms: number; reason: Reason }
  | { kind: 'give_up'; reason: Reason }
) & {
  /** What was worked on and what came of it. Whoever looks at the queue sees it. */
  facts?: Facts;
};

export type Facts = Record<string, string | number | null>;

/** Tells the queue how far a job is, and what it works on. It costs one message to Redis and is not waited for. */
export type ReportProgress = (progress: { step: string } & Facts) => void;

export const noProgress: ReportProgress = () => undefined;

export const done = (facts?: Facts): Outcome => ({
  kind: 'done',
  ...(facts ? { facts } : {}),
});
export const skipped = (reason: Reason): Outcome => ({ kind: 'skipped', reason });
export const retryLater = (ms: number, reason: Reason): Outcome => ({ kind: 'retry_later', ms, reason });
export const giveUp = (reason: Reason): Outcome => ({ kind: 'give_up', reason });

export interface Job<Payload extends z.ZodType> {
  /** Ids only: a handler reads the rows again, decides again, and may find nothing to do. */
  payload: Payload;
  concurrency: number;
  /** Interval of a job that repeats. */
  everyMs?: number;
}

export const defineJob = <Payload extends z.ZodType>(job: Job<Payload>): Job<Payload> => job;
