import {
  countByState,
  lastAttemptAt,
  outputConcerns,
  sweepConcerns,
  threadConcerns,
  webhookConcerns,
  type ConcernRow,
  type Patience,
} from '@spillway/store';
import { checkReadiness, type Readiness } from './check-readiness.js';
import type { Runtime } from './runtime.js';

/**
 * A thread is due for a moment and backs off for seconds; a due one that waits a minute has no worker, one that backs
 * off for ten has a provider that is ill. The trigger is at most 90 % of the limit, so a thread above 95 % was not
 * compacted in time.
 */
const patience: Patience = {
  dueMs: 60_000,
  backoffMs: 600_000,
  expiringMs: 24 * 3_600_000,
  nearLimit: 0.95,
};

export interface Attention {
  concerns: ConcernRow[];
  health: Readiness & {
    /** Workers that Redis knows of; null when it can't say. */
    workers: number | null;
    lastAttemptAt: Date | null;
    oldestDueMs: number | null;
    counts: { due: number; running: number; backoff: number; parked: number };
  };
}

/** What a person should look at now, the worst first, and whether everything runs. */
export async function readAttention(rt: Runtime, projectId: string): Promise<Attention> {
  const { query } = rt.store;
  const [threads, outputs, sweeps, webhooks, states, last, readiness, workers] = await Promise.all([
    threadConcerns(query, projectId, patience),
    outputConcerns(query, projectId, patience),
    sweepConcerns(query, projectId),
    webhookConcerns(query, projectId),
    countByState(query, projectId),
    lastAttemptAt(query, projectId),
    checkReadiness(rt),
    rt.hints.workers(),
  ]);
  const concerns = [...threads, ...outputs, ...sweeps, ...webhooks].sort(
    (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || b.count - a.count,
  );
  const { oldest, ...counts } = states;
  return { concerns, health: { ...readiness, workers, lastAttemptAt: last, oldestDueMs: oldest, counts } };
}

const order: readonly ConcernRow['kind'][] = [
  'parked',
  'outputs_corrupt',
  'due_for_long',
  'backing_off_for_long',
  'near_limit',
  'sweep_refused',
  'sweep_failed',
  'webhook_disabled',
  'outputs_expiring',
];
