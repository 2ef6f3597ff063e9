import type { ThreadRow, ThreadState } from '@spillway/store';
import type { ThreadRecord } from './rows.js';
import type { Tables } from './tables.js';

const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** What `stateOf` of libs/store says in SQL. */
export function stateOfRow(now: number, t: ThreadRecord): ThreadState {
  if (t.parkReason !== null) return 'parked';
  if (t.leaseUntil !== null && t.leaseUntil > now) return 'running';
  if (t.needsCompaction && t.nextAttemptAt !== null && t.nextAttemptAt > now) return 'backoff';
  return t.needsCompaction ? 'due' : 'idle';
}

/** The newest message that is not rewound. */
export const headSeqOf = ({ rewoundTo, nextSeq }: ThreadRecord): number => rewoundTo ?? nextSeq - 1;

/** What `rowVersionOf` of libs/store gives: another text after every change of the row or its project's settings. */
export const rowVersionOf = (tables: Tables, t: ThreadRecord): string =>
  JSON.stringify([t, tables.projects.get(t.projectId)!.settingsVersion]);

/** What `threadColumns` of libs/store selects. */
export const threadRowOf = (tables: Tables, t: ThreadRecord): ThreadRow => ({
  projectId: t.projectId,
  uid: t.uid,
  id: t.id,
  model: null,
  system: t.system,
  tools: null,
  format: null,
  calibration: t.calibration,
  measuredRatio: t.measuredRatio,
  requestTokens: t.requestTokens,
  metadata: '{}',
  policy: t.policy,
  policyVersion: t.policyVersion,
  waitedMs: t.requestedAt === null ? null : tables.now() - t.requestedAt,
  nextSeq: t.nextSeq,
  headSeq: headSeqOf(t),
  leadingThrough: t.leadingThrough,
  liveTokens: t.liveTokens,
  totalTokens: String(t.totalTokens),
  contextWindow: t.contextWindow,
  limitTokens: t.limitTokens,
  triggerTokens: t.triggerTokens,
  outputCount: t.outputCount,
  chain: t.chain,
  generation: t.generation,
  lastGeneration: t.lastGeneration,
  coveredThrough: t.coveredThrough,
  contentVersion: t.contentVersion,
  weighedVersion: t.weighedVersion,
  request: t.request,
  requestedAt: date(t.requestedAt),
  preparedGeneration: t.preparedGeneration,
  preparedState: t.preparedState,
  prepareAt: date(t.prepareAt),
  needsCompaction: t.needsCompaction,
  leaseEpoch: t.leaseEpoch,
  attempt: t.attempt,
  lostAttempts: t.lostAttempts,
  nextAttemptAt: date(t.nextAttemptAt),
  parkReason: t.parkReason,
  lastError: t.lastError,
  forkedFrom: t.forkedFrom,
  forkSeq: t.forkSeq,
  createdAt: new Date(t.createdAt),
  updatedAt: new Date(t.updatedAt),
  deletedAt: date(t.deletedAt),
  settingsVersion: tables.projects.get(t.projectId)!.settingsVersion,
  state: stateOfRow(tables.now(), t),
});
