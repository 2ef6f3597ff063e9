import {
  countByState,
  heldOutputBytes,
  lastAttemptAt,
  outputConcerns,
  readThread,
  sweepConcerns,
  threadConcerns,
  webhookConcerns,
  type ConcernRow,
  type ConcernThresholds,
  type QueueState,
} from '@spillway/store';
import { checkReadiness, type Readiness } from './check-readiness.js';
import { fixedContentOf, type FixedContent } from '../context/fixed-content.js';
import { modelHealth, type ModelHealth } from './model-health.js';
import type { Runtime } from '../runtime.js';
import { isSpent, summaryBudget, type SummaryBudget } from '../usage/summary-budget.js';

/**
 * A thread is usually due for a moment and backs off for seconds: a minute due means no worker, ten minutes of back-off
 * mean a failing provider. A webhook that fails for ten minutes was tried several times. The trigger is at most 90 % of
 * the limit, so a thread above 95 % was not compacted in time.
 */
const thresholds: ConcernThresholds = {
  dueMs: 60_000,
  backoffMs: 600_000,
  webhookMs: 600_000,
  expiringMs: 24 * 3_600_000,
  nearLimit: 0.95,
};

export type Concern = ConcernRow & { detail?: FixedContent };

/** Stored outputs in bytes, and the bytes from which the sweep removes the oldest. */
export interface Storage {
  outputBytes: number;
  maxBytes: number;
}

export interface Attention {
  concerns: Concern[];
  health: Readiness & {
    /** Null when the policy is extractive. */
    model: ModelHealth | null;
    /** Workers known to Redis; null when Redis is unavailable. */
    workers: number | null;
    lastAttemptAt: Date | null;
    oldestDueMs: number | null;
    counts: Record<QueueState, number>;
    storage: Storage;
  };
}

/** What needs attention now, the most severe first, and whether everything runs. */
export async function readAttention(rt: Runtime, projectId: string): Promise<Attention> {
  const { query } = rt.store;
  const [threads, outputs, sweeps, webhooks, states, last, storage, readiness, workers, model, budget] =
    await Promise.all([
      threadConcerns(query, projectId, thresholds),
      outputConcerns(query, projectId, thresholds),
      sweepConcerns(query, projectId),
      webhookConcerns(query, projectId, thresholds),
      countByState(query, projectId),
      lastAttemptAt(query, projectId),
      readStorage(rt, projectId),
      checkReadiness(rt),
      rt.hints.workers(),
      modelHealth(rt, projectId),
      readSummaryBudget(rt, projectId),
    ]);
  const parked = await withDetails(rt, projectId, threads);
  const concerns = [
    ...modelConcerns(model),
    ...budgetConcerns(budget),
    ...[...parked, ...outputs, ...sweeps, ...webhooks],
  ].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || b.count - a.count);
  const { oldest, ...counts } = states;
  return {
    concerns,
    health: { ...readiness, model, workers, lastAttemptAt: last, oldestDueMs: oldest, counts, storage },
  };
}

async function readStorage(rt: Runtime, projectId: string): Promise<Storage> {
  const { bytes, settingsVersion } = await heldOutputBytes(rt.store.query, projectId);
  const project = await rt.settings.project(projectId, settingsVersion);
  return { outputBytes: bytes, maxBytes: rt.settings.projectDefaults(project).outputs.max_bytes };
}

async function readSummaryBudget(rt: Runtime, projectId: string): Promise<SummaryBudget | null> {
  const project = await rt.settings.project(projectId);
  return summaryBudget(rt, projectId, rt.settings.projectDefaults(project).summary);
}

function budgetConcerns(budget: SummaryBudget | null): Concern[] {
  if (!isSpent(budget)) return [];
  const [spent, max] = [budget.spentTokens, budget.maxTokens].map((tokens) => tokens.toLocaleString('en-US'));
  return [{ kind: 'summary_budget_spent', reason: `${spent} of ${max} tokens`, count: 1, threads: [] }];
}

function modelConcerns(model: ModelHealth | null): Concern[] {
  if (model?.state !== 'failing') return [];
  const { lastError, failures, threads } = model;
  return [{ kind: 'model_failing', reason: lastError, count: failures, threads }];
}

/** Checks the named threads: one that can still serve a context is only parked. */
async function withDetails(rt: Runtime, projectId: string, concerns: ConcernRow[]): Promise<Concern[]> {
  const found = await Promise.all(
    concerns.map(async (concern): Promise<Concern[]> => {
      if (concern.kind !== 'context_refused') return [concern];
      const named = await Promise.all(
        concern.threads.map(async (id) => {
          const row = await readThread(rt.store.query, projectId, id);
          return { id, detail: row && (await fixedContentOf(rt, row)) };
        }),
      );
      const refused = named.filter(({ detail }) => detail && !detail.servesContext);
      const served = named.length - refused.length;
      const { count } = concern;
      const [first] = refused;
      const rest: Concern = {
        ...concern,
        kind: 'parked',
        count: first ? served : count,
        threads: named.filter((one) => !refused.includes(one)).map(({ id }) => id),
      };
      if (!first?.detail) return [rest];
      const threads = refused.map(({ id }) => id);
      const refusal: Concern = { ...concern, count: count - served, threads, detail: first.detail };
      return served > 0 ? [refusal, rest] : [refusal];
    }),
  );
  return merged(found.flat());
}

/** Threads parked for one reason are one concern. */
function merged(concerns: readonly Concern[]): Concern[] {
  const byKey = new Map<string, Concern>();
  for (const concern of concerns) {
    const key = `${concern.kind} ${concern.reason}`;
    const known = byKey.get(key);
    if (!known) byKey.set(key, concern);
    else {
      const threads = [...known.threads, ...concern.threads].slice(0, 5);
      byKey.set(key, { ...known, count: known.count + concern.count, threads });
    }
  }
  return [...byKey.values()];
}

const order: readonly ConcernRow['kind'][] = [
  'model_failing',
  'context_refused',
  'parked',
  'summary_proposed',
  'summary_budget_spent',
  'outputs_corrupt',
  'due_for_long',
  'backing_off_for_long',
  'near_limit',
  'sweep_refused',
  'sweep_failed',
  'webhook_disabled',
  'webhook_failing',
  'outputs_expiring',
];
