import {
  countByState,
  heldOutputBytes,
  lastAttemptAt,
  outputConcerns,
  readCompactionPause,
  readThread,
  sweepConcerns,
  threadConcerns,
  webhookConcerns,
  type CompactionPause,
  type ConcernRow,
  type ConcernThresholds,
  type QueueState,
} from '@spillway/store';
import { checkReadiness, type Readiness } from './check-readiness.js';
import { fixedContentOf, type FixedContent } from '../context/fixed-content.js';
import { guessedWindowConcerns } from './guessed-windows.js';
import { lastAdminKeyConcerns } from './last-admin-key.js';
import { lostHistoryConcerns } from './lost-histories.js';
import { modelHealth, type ModelHealth } from './model-health.js';
import type { Runtime } from '../runtime.js';
import { spentKeysConcern } from '../usage/key-budgets.js';
import { chatBudget, inWords, isSpent, summaryBudget, type DayBudget } from '../usage/day-budgets.js';

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

export type Concern = ConcernRow & {
  detail?: FixedContent;
  /** More threads may have the problem: not all were checked. */
  atLeast?: boolean;
};

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

/**
 * What needs attention now, the most severe first, and whether everything runs. Keys are named to a caller who may list
 * them.
 */
export async function readAttention(
  rt: Runtime,
  projectId: string,
  { mayListKeys }: { mayListKeys: boolean },
): Promise<Attention> {
  const { query } = rt.store;
  const [
    threads,
    outputs,
    sweeps,
    webhooks,
    states,
    last,
    storage,
    readiness,
    workers,
    model,
    budgets,
    guessed,
    pause,
    lastKey,
    lostHistories,
    spentKeys,
  ] = await Promise.all([
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
    readBudgets(rt, projectId),
    guessedWindowConcerns(rt, projectId),
    readCompactionPause(query, projectId),
    lastAdminKeyConcerns(rt, projectId),
    lostHistoryConcerns(rt, projectId),
    spentKeysConcern(rt, projectId, mayListKeys),
  ]);
  const parked = await withDetails(rt, projectId, threads);
  const concerns = [
    ...pauseConcerns(pause, states.due),
    ...modelConcerns(model),
    ...budgetConcerns(budgets),
    ...[...guessed, ...lastKey, ...lostHistories, ...spentKeys],
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

interface DayBudgets {
  summary: DayBudget | null;
  chat: DayBudget | null;
}

async function readBudgets(rt: Runtime, projectId: string): Promise<DayBudgets> {
  const policy = rt.settings.projectDefaults(await rt.settings.project(projectId));
  const [summary, chat] = await Promise.all([
    summaryBudget(rt, projectId, policy.summary),
    chatBudget(rt, projectId, policy.chat),
  ]);
  return { summary, chat };
}

const budgetConcerns = ({ summary, chat }: DayBudgets): Concern[] => [
  ...spentConcern('chat_budget_spent', chat),
  ...spentConcern('summary_budget_spent', summary),
];

const spentConcern = (kind: Concern['kind'], budget: DayBudget | null): Concern[] =>
  isSpent(budget) ? [{ kind, reason: inWords(budget), count: 1, threads: [] }] : [];

/** A pause that somebody forgot looks like workers that do nothing: it stays in the list until it ends. */
function pauseConcerns(pause: CompactionPause | undefined, due: number): Concern[] {
  if (!pause) return [];
  const whose = pause.scope === 'server' ? 'all projects' : 'this project';
  const reason = `${whose}, since ${pause.pausedAt.toISOString()}`;
  return [{ kind: 'compaction_paused', reason, count: due, threads: [] }];
}

function modelConcerns(model: ModelHealth | null): Concern[] {
  if (model?.state !== 'failing') return [];
  const { lastError, failures, threads } = model;
  return [{ kind: 'model_failing', reason: lastError, count: failures, threads }];
}

/** Checks the named threads: one that can still serve a context, or that is beyond the check, is only parked. */
async function withDetails(rt: Runtime, projectId: string, concerns: ConcernRow[]): Promise<Concern[]> {
  const found: Concern[] = [];
  for (const concern of concerns) {
    if (concern.kind !== 'context_refused') {
      found.push({ ...concern, threads: concern.threads.slice(0, maxNamed) });
      continue;
    }
    const checked = await checkContexts(rt, projectId, concern.threads);
    const refused = checked.filter(({ detail }) => detail && !detail.servesContext);
    const isRefused = new Set(refused.map(({ id }) => id));
    const [first] = refused;
    if (first?.detail)
      found.push({
        ...concern,
        count: refused.length,
        threads: [...isRefused].slice(0, maxNamed),
        detail: first.detail,
        atLeast: concern.count > checked.length,
      });
    if (concern.count > refused.length)
      found.push({
        ...concern,
        kind: 'parked',
        count: concern.count - refused.length,
        threads: concern.threads.filter((id) => !isRefused.has(id)).slice(0, maxNamed),
      });
  }
  return merged(found);
}

interface Checked {
  id: string;
  /** Null for a thread that is gone or parked no more. */
  detail: FixedContent | null;
}

/** A few at a time: the connections of this process are for agents, and this is asked for every few seconds. */
const maxChecksAtOnce = 5;

async function checkContexts(rt: Runtime, projectId: string, ids: readonly string[]): Promise<Checked[]> {
  let checked: Checked[] = [];
  for (let i = 0; i < ids.length; i += maxChecksAtOnce) {
    const some = ids.slice(i, i + maxChecksAtOnce).map(async (id) => {
      const row = await readThread(rt.store.query, projectId, id);
      return { id, detail: row ? await fixedContentOf(rt, row) : null };
    });
    checked = [...checked, ...(await Promise.all(some))];
  }
  return checked;
}

/** Threads that a concern names. */
const maxNamed = 5;

/** Threads parked for one reason are one concern. */
function merged(concerns: readonly Concern[]): Concern[] {
  const byKey = new Map<string, Concern>();
  for (const concern of concerns) {
    const key = `${concern.kind} ${concern.reason}`;
    const known = byKey.get(key);
    if (!known) byKey.set(key, concern);
    else {
      const threads = [...known.threads, ...concern.threads].slice(0, maxNamed);
      byKey.set(key, { ...known, count: known.count + concern.count, threads });
    }
  }
  return [...byKey.values()];
}

const order: readonly ConcernRow['kind'][] = [
  'compaction_paused',
  'model_failing',
  'context_refused',
  'chat_budget_spent',
  'key_budget_spent',
  'parked',
  'last_admin_key_expires',
  'unknown_model',
  'history_not_found',
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
