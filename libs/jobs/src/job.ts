import type { z } from 'zod';

/** Why a job did nothing, will be tried again, or never will: the closed list that the console shows. */
export type Reason =
  | 'below_trigger'
  | 'not_due'
  | 'lost_cas'
  | 'nothing_to_cut'
  | 'too_little_to_reclaim'
  | 'summary_failed'
  | 'provider_paused'
  | 'lease_lost'
  | 'poison'
  | 'too_many_attempts'
  | 'irreducible'
  | 'auth'
  | 'rejected'
  | 'refused'
  | 'shutting_down';

/** How a job ended. An outcome is a value; a handler that throws has a defect. */
export type Outcome =
  | { kind: 'done'; facts?: Record<string, unknown> }
  | { kind: 'skipped'; reason: Reason }
  | { kind: 'retry_later'; ms: number; reason: Reason }
  | { kind: 'give_up'; reason: Reason };

export const done = (facts?: Record<string, unknown>): Outcome => ({
  kind: 'done',
  ...(facts ? { facts } : {}),
});
export const skipped = (reason: Reason): Outcome => ({ kind: 'skipped', reason });
export const retryLater = (ms: number, reason: Reason): Outcome => ({ kind: 'retry_later', ms, reason });
export const giveUp = (reason: Reason): Outcome => ({ kind: 'give_up', reason });

export interface Job<Payload extends z.ZodType> {
  /** Ids only: a handler reads the rows again and decides again, and may find nothing to do. */
  payload: Payload;
  concurrency: number;
  /** Runs by itself this often. */
  everyMs?: number;
}

export const defineJob = <Payload extends z.ZodType>(job: Job<Payload>): Job<Payload> => job;
