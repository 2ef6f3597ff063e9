import type { ThreadRow } from '@spillway/store';
import { dueSince } from '../due-since.js';
import type { ThreadRecord, ThreadTable } from '../rows.js';
import { byThreadId, type MemoryStatement, type Undo } from '../statement.js';
import type { Tables } from '../tables.js';
import { headSeqOf, rowVersionOf, threadRowOf } from '../thread-row-of.js';
import { askedOf, askedOfGroup, recordsOf, type Asked } from './append-values.js';

/** What Postgres throws when two messages of a thread would carry one client id. */
const uniqueViolation = (): Error => Object.assign(new Error('duplicate key'), { code: '23505' });

/** Known client ids are read from the statement's snapshot; the unique index decides. */
export const appendFirst: MemoryStatement = {
  of: byThreadId,
  writes: true,
  look: (tables, values) => hasKnownId(tables, askedOf(values)),
  run: (tables, values, isKnown, undo) => (isKnown ? [] : record(tables, askedOf(values), undo)),
};

export const append: MemoryStatement = {
  ...appendFirst,
  run: (...given) => (appendFirst.run(...given) as ThreadRow[]).map(grownOf),
};

const texts = ['system', 'tools', 'metadata', 'policy'];
const grownOf = (row: ThreadRow): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !texts.includes(name)));

/** Passes over what `append` would refuse or wait for. All or none are written: Postgres undoes a refused statement. */
export const appendGroup: MemoryStatement = {
  look: (tables, values) => askedOfGroup(values).map((asked) => hasKnownId(tables, asked)),
  run: (tables, values, known, undo) => {
    const own: Undo = [];
    try {
      const rows = askedOfGroup(values).flatMap((asked, i) => {
        const thread = tables.find(asked.projectId, asked.threadId);
        if (!thread || thread.lockedBy !== null || (known as boolean[])[i]) return [];
        return record(tables, asked, own).map((row) => ({ append: i + 1, ...grownOf(row) }));
      });
      undo.push(...own);
      return rows;
    } catch (error) {
      for (const step of own.reverse()) step();
      throw error;
    }
  },
};

/** Whether an id is recorded in the snapshot that the statement begins with. */
function hasKnownId(tables: Tables, { projectId, threadId, posted }: Asked): boolean {
  const ids = posted.flatMap((message) => message.clientId ?? []);
  const thread = tables.find(projectId, threadId);
  const visible = thread?.messages.slice(0, thread.committed ?? thread.messages.length) ?? [];
  return visible.some((m) => m.clientId !== null && m.rewoundBefore === 0 && ids.includes(m.clientId));
}

function record(tables: Tables, a: Asked, undo: Undo): (ThreadRow & { rowVersion: string })[] {
  if (tables.projects.get(a.projectId)?.settingsVersion !== a.settingsVersion) return [];
  const now = tables.now();
  const known = tables.find(a.projectId, a.threadId);
  if (known && (known.row.deletedAt !== null || known.row.policyVersion !== a.policyVersion)) return [];
  if (a.ifLastSeq !== null && (known ? headSeqOf(known.row) : 0) !== a.ifLastSeq) return [];
  const messages = recordsOf(a.posted, (known?.row.nextSeq ?? 1) - 1, now);
  const live = (known?.messages ?? []).filter((m) => m.rewoundBefore === 0);
  refuseSecond([...live, ...messages].flatMap((m) => m.clientId ?? []));
  const thread = known ?? create(tables, a, a.create!);
  if (known) {
    const before = { ...known.row };
    undo.push(() => Object.assign(known.row, before));
    grow(known.row, a, now);
  } else undo.push(() => tables.remove(thread));
  undo.push(() => thread.messages.splice(thread.messages.length - messages.length));
  thread.messages.push(...messages);
  tables.touched.add(thread);
  return [{ ...threadRowOf(tables, thread.row), rowVersion: rowVersionOf(tables, thread.row) }];
}

function refuseSecond(clientIds: readonly string[]): void {
  if (new Set(clientIds).size < clientIds.length) throw uniqueViolation();
}

function create(tables: Tables, a: Asked, first: NonNullable<Asked['create']>): ThreadTable {
  const now = tables.now();
  const live = first.baseTokens + a.weight;
  const isDue = a.budget.summaryEnabled && live >= a.budget.triggerTokens;
  const row: ThreadRecord = {
    projectId: a.projectId,
    uid: first.uid,
    id: a.threadId,
    nextSeq: 1 + a.count,
    rewoundTo: null,
    leadingThrough: a.leading,
    liveTokens: live,
    totalTokens: a.fullTokens,
    ...a.budget,
    outputCount: a.outputs,
    policy: '{}',
    policyVersion: 1,
    chain: 1,
    lastChain: 1,
    generation: 0,
    lastGeneration: 0,
    coveredThrough: 0,
    contentVersion: 1,
    system: null,
    calibration: 1,
    measuredRatio: 1,
    requestTokens: 0,
    weighedVersion: a.settingsVersion,
    needsCompaction: isDue,
    request: null,
    requestedAt: isDue ? now : null,
    preparedGeneration: 0,
    preparedState: null,
    prepareAt: prepareAtOf(null, live, a, now),
    leaseOwner: null,
    leaseUntil: null,
    leaseEpoch: 0,
    attempt: 0,
    lostAttempts: 0,
    nextAttemptAt: null,
    parkReason: null,
    parkedTokens: 0,
    lastError: null,
    forkedFrom: null,
    forkSeq: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  const thread: ThreadTable = {
    row,
    messages: [],
    summaries: [],
    prepared: null,
    approved: new Set(),
    rejected: new Set(),
    attempts: [],
    rewinds: [],
    instructions: new Map(),
    served: new Map(),
    prompts: new Map(),
    lockedBy: null,
    committed: null,
  };
  tables.add(thread);
  return thread;
}

function prepareAtOf(t: ThreadRecord | null, live: number, a: Asked, now: number): number | null {
  const { tokens, makeAfterMs, idleMs } = a.ahead;
  if (!a.budget.summaryEnabled || tokens === null || live < tokens) return null;
  if (t && t.preparedGeneration !== 0) return idleMs === null ? null : now + idleMs;
  if (makeAfterMs === 0) return t?.prepareAt ?? now;
  return makeAfterMs === null ? null : now + makeAfterMs;
}

function grow(t: ThreadRecord, a: Asked, now: number): void {
  const live = t.liveTokens + a.weight;
  const { triggerTokens: trigger, summaryEnabled } = a.budget;
  if (a.leading > 0 && t.leadingThrough === headSeqOf(t)) t.leadingThrough = t.nextSeq - 1 + a.leading;
  t.rewoundTo = null;
  const isUndone = t.parkReason === 'undone' || t.parkReason === 'declined';
  const hasGrown = live >= t.parkedTokens + Math.trunc(trigger / 20);
  const unparks =
    ((t.parkReason === 'irreducible' || isUndone) && hasGrown) || (isUndone && live > a.budget.limitTokens);
  if (summaryEnabled && live >= trigger) {
    t.needsCompaction = true;
    t.requestedAt = dueSince(t, now, unparks);
  }
  if (unparks) t.parkReason = null;
  t.prepareAt = prepareAtOf(t, live, a, now);
  t.nextSeq += a.count;
  t.totalTokens += a.fullTokens;
  t.outputCount += a.outputs;
  Object.assign(t, a.budget, { liveTokens: live, updatedAt: now });
}
