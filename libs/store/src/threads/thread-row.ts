/** A thread row. Times are the database's. */
export interface ThreadRow {
  projectId: string;
  /** Its key in other tables, and its name in logs. */
  uid: string;
  /** Chosen by a client. */
  id: string;
  model: string | null;
  system: string | null;
  /** JSON, as are `metadata` and `policy`. */
  tools: string | null;
  /** Of messages that are posted and read without a format. Null: OpenAI chat. */
  format: string | null;
  /** The provider's tokens per token of ours, as adopted in the budget. */
  calibration: number;
  /** The measured ratio; the next compaction adopts it. */
  measuredRatio: number;
  /** What requests for contexts bring beside the messages: part of the live tokens. */
  requestTokens: number;
  metadata: string;
  policy: string;
  /** Rises with whatever its budget follows from: policy, model, calibration, request tokens. */
  policyVersion: number;
  /** The same of its project, from another table. */
  settingsVersion: number;
  nextSeq: number;
  /** The newest message that is not rewound; 0 for none. */
  headSeq: number;
  /** The last of the system messages that it starts with; 0 for none. */
  leadingThrough: number;
  /** What a context of everything that is live would take. */
  liveTokens: number;
  /** What all of its messages took as they were posted. */
  totalTokens: string;
  contextWindow: number;
  limitTokens: number;
  triggerTokens: number;
  outputCount: number;
  /** Summaries that build on one another; a rebuild starts another chain. */
  chain: number;
  /** The active summary; 0 for none. */
  generation: number;
  /** The newest generation ever made: the next one is numbered after it. */
  lastGeneration: number;
  /** The last seq that the active summary covers. */
  coveredThrough: number;
  /** Rises when what a summary was made from changes: erased, rewound, pinned, restored. */
  contentVersion: number;
  /** The project's settings version that the live tokens were weighed under. */
  weighedVersion: number;
  /** JSON of the CompactionRequest that is pending. */
  request: string | null;
  requestedAt: Date | null;
  /** How long compaction has been due, by the database's clock. */
  waitedMs: number | null;
  /** A summary that is not in place yet; 0: none. */
  preparedGeneration: number;
  preparedState: PreparedState | null;
  /** When the next fold may be prepared, or a prepared one is put in place without waiting for the trigger. */
  prepareAt: Date | null;
  /** It is over its trigger, or somebody asked. */
  needsCompaction: boolean;
  /** Numbers the claims: a worker whose claim is no longer the newest commits nothing. */
  leaseEpoch: number;
  /** Attempts since the last that succeeded. */
  attempt: number;
  /** Those in a row whose worker never reported back. */
  lostAttempts: number;
  nextAttemptAt: Date | null;
  parkReason: string | null;
  lastError: string | null;
  /** The id of the thread that it was forked from, and the newest message it has from there; null: it is no fork. */
  forkedFrom: string | null;
  forkSeq: number | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
  state: ThreadState;
}

/** `prepared`: put in place when the thread is compacted next. `proposed`: waits for an approval. */
export type PreparedState = 'prepared' | 'proposed';

export type ThreadState = 'idle' | 'due' | 'running' | 'backoff' | 'parked';

/** The state is not stored: it follows from the flag, the lease, the clock and the park reason. */
export const stateOf = (t: string): string => `CASE
  WHEN ${t}.park_reason IS NOT NULL THEN 'parked'
  WHEN ${t}.lease_until > now() THEN 'running'
  WHEN ${t}.needs_compaction AND ${t}.next_attempt_at > now() THEN 'backoff'
  WHEN ${t}.needs_compaction THEN 'due'
  ELSE 'idle' END`;

const columns: Record<
  Exclude<keyof ThreadRow, 'state' | 'settingsVersion' | 'waitedMs' | 'headSeq'>,
  string
> = {
  projectId: 'project_id',
  uid: 'uid',
  id: 'id',
  model: 'model',
  system: 'system',
  tools: 'tools',
  format: 'format',
  calibration: 'calibration',
  measuredRatio: 'measured_ratio',
  requestTokens: 'request_tokens',
  metadata: 'metadata',
  policy: 'policy',
  policyVersion: 'policy_version',
  nextSeq: 'next_seq',
  leadingThrough: 'leading_through',
  liveTokens: 'live_tokens',
  totalTokens: 'total_tokens',
  contextWindow: 'context_window',
  limitTokens: 'limit_tokens',
  triggerTokens: 'trigger_tokens',
  outputCount: 'output_count',
  chain: 'chain',
  generation: 'generation',
  lastGeneration: 'last_generation',
  coveredThrough: 'covered_through',
  contentVersion: 'content_version',
  weighedVersion: 'weighed_version',
  request: 'request',
  requestedAt: 'requested_at',
  preparedGeneration: 'prepared_generation',
  preparedState: 'prepared_state',
  prepareAt: 'prepare_at',
  needsCompaction: 'needs_compaction',
  leaseEpoch: 'lease_epoch',
  attempt: 'attempt',
  lostAttempts: 'lost_attempts',
  nextAttemptAt: 'next_attempt_at',
  parkReason: 'park_reason',
  lastError: 'last_error',
  forkedFrom: 'forked_from',
  forkSeq: 'fork_seq',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  deletedAt: 'deleted_at',
};

/** The newest message that is not rewound. */
export const headSeqOf = (t: string): string => `coalesce(${t}.rewound_to, ${t}.next_seq - 1)`;

const settingsVersionOf = (t: string): string =>
  `(SELECT settings_version FROM projects WHERE projects.id = ${t}.project_id)`;

/**
 * A text that differs after every change of the thread's row or of its project's settings: each write gives the row
 * another `xmin`. The seq and the time are for a standby that was promoted without the newest writes, because it
 * assigns their transaction ids again. A row that a CTE returned has no `xmin` unless the CTE names it as a column.
 */
export const rowVersionOf = (t: string, xmin = 'xmin', settingsVersion = settingsVersionOf(t)): string =>
  `concat_ws('.', ${t}.${xmin}, ${t}.next_seq, extract(epoch FROM ${t}.updated_at), ${settingsVersion})`;

/** The select list that makes a ThreadRow of table alias `t`. */
export const threadColumns = (t: string, settingsVersion = settingsVersionOf(t)): string =>
  columnsOf(t, [], settingsVersion);

const columnsOf = (t: string, without: readonly string[], settingsVersion: string): string =>
  [
    ...Object.entries(columns)
      .filter(([name]) => !without.includes(name))
      .map(([name, column]) => `${t}.${column} AS "${name}"`),
    `${settingsVersion} AS "settingsVersion"`,
    `${headSeqOf(t)} AS "headSeq"`,
    `(extract(epoch FROM now() - ${t}.requested_at) * 1000)::float8 AS "waitedMs"`,
    `${stateOf(t)} AS state`,
  ].join(', ');

/**
 * A thread that messages were appended to: without the texts that an append leaves as they are, and that may be
 * megabytes.
 */
export type GrownThread = Omit<ThreadRow, 'system' | 'tools' | 'metadata' | 'policy'>;

/** The select list that makes a GrownThread of table alias `t`. */
export const grownColumns = (t: string, settingsVersion: string): string =>
  columnsOf(t, ['system', 'tools', 'metadata', 'policy'], settingsVersion);

const hinted = [
  'projectId',
  'id',
  'generation',
  'leaseEpoch',
  'preparedGeneration',
  'prepareAt',
  'updatedAt',
] as const;

/** What a hint at a thread takes. */
export type HintedThread = Pick<ThreadRow, (typeof hinted)[number] | 'state'>;

/** The select list that makes a HintedThread of table alias `t`. */
export const hintedColumns = (t: string): string =>
  [...hinted.map((name) => `${t}.${columns[name]} AS "${name}"`), `${stateOf(t)} AS state`].join(', ');

/** A thread that messages were appended to, and the version that its row has with them. */
export type AppendedThread = GrownThread & { rowVersion: string };

/** What a CTE that appends returns of table alias `t`, for `appendedColumns`. */
export const appendedRow = (t: string): string => `${t}.*, ${t}.xmin AS row_xmin`;

/**
 * The select list that makes an AppendedThread of table alias `t`; with all of the row where `columns` says so. The
 * statement has compared the settings version already: to read it twice more for each row took a twentieth of a lone append.
 */
export const appendedColumns = (t: string, settingsVersion: string, columns = grownColumns): string =>
  `${columns(t, settingsVersion)}, ${rowVersionOf(t, 'row_xmin', settingsVersion)} AS "rowVersion"`;

/** A listed thread: without its system prompt and tools, which may be megabytes each. */
export type ListedThread = Omit<ThreadRow, 'system' | 'tools' | 'settingsVersion' | 'waitedMs'>;

/** The select list that makes a ListedThread of table alias `t`. */
export const listedColumns = (t: string): string =>
  [
    ...Object.entries(columns)
      .filter(([name]) => name !== 'system' && name !== 'tools')
      .map(([name, column]) => `${t}.${column} AS "${name}"`),
    `${headSeqOf(t)} AS "headSeq"`,
    `${stateOf(t)} AS state`,
  ].join(', ');
