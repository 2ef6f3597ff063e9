import type { PreparedRow, PreparedState } from '@spillway/store';

/** Rows as Postgres would hold them. Times are ms of the tables' own clock. */
export interface ThreadRecord {
  projectId: string;
  uid: string;
  id: string;
  nextSeq: number;
  /** The newest message after a rewind, until the next append. */
  rewoundTo: number | null;
  leadingThrough: number;
  liveTokens: number;
  totalTokens: number;
  contextWindow: number;
  limitTokens: number;
  triggerTokens: number;
  summaryEnabled: boolean;
  outputCount: number;
  policy: string;
  policyVersion: number;
  chain: number;
  lastChain: number;
  generation: number;
  lastGeneration: number;
  coveredThrough: number;
  contentVersion: number;
  system: string | null;
  calibration: number;
  measuredRatio: number;
  requestTokens: number;
  weighedVersion: number;
  needsCompaction: boolean;
  request: string | null;
  requestedAt: number | null;
  preparedGeneration: number;
  preparedState: PreparedState | null;
  prepareAt: number | null;
  leaseOwner: string | null;
  leaseUntil: number | null;
  leaseEpoch: number;
  attempt: number;
  lostAttempts: number;
  nextAttemptAt: number | null;
  parkReason: string | null;
  parkedTokens: number;
  lastError: string | null;
  forkedFrom: string | null;
  forkSeq: number | null;
  createdAt: number;
  updatedAt: number;
  deletedAt: number | null;
}

export interface MessageRecord {
  seq: number;
  clientId: string | null;
  role: string;
  pinned: boolean;
  tokens: number;
  fullTokens: number;
  calls: string | null;
  answers: string | null;
  body: string;
  hash: Buffer;
  format: string;
  images: number;
  media: string | null;
  outputId: string | null;
  hold: string | null;
  holdTokens: number | null;
  createdAt: number;
  sentAt: string | null;
  erasedAt: number | null;
  rewoundBefore: number;
}

export interface SummaryRecord {
  projectId: string;
  threadUid: string;
  generation: number;
  chain: number;
  fromSeq: number;
  toSeq: number;
  asOfSeq: number;
  seenSeq: number;
  visibleFromSeq: number;
  carried: number[];
  clearedThrough: number;
  fields: string;
  text: string;
  tokens: number;
  tokensBefore: number;
  tokensAfter: number;
  method: string;
  model: string | null;
  author: string | null;
  restoredFrom: number | null;
  replaces: number | null;
  undoneAt: number | null;
  withdrawnAt: number | null;
  rewoundBefore: number;
  instructions: string | null;
  holds: string | null;
  fidelity: object | null;
}

/** Its thread says whose it is and in which state. */
export type PreparedRecord = Omit<
  PreparedRow,
  'projectId' | 'threadUid' | 'state' | 'chain' | 'createdAt'
> & { createdAt: number };

export interface AttemptRecord {
  epoch: number;
  trigger: string;
  outcome: string | null;
  reason: string | null;
  error: string | null;
  generation: number | null;
  fromSeq: number | null;
  toSeq: number | null;
  method: string | null;
  model: string | null;
  tokensBefore: number | null;
  tokensAfter: number | null;
  /** For the checks, not a column: the next seq that an attempt without a summary saw. */
  sawNextSeq?: number;
}

export interface ServedRecord {
  seq: number;
  generation: number;
  fingerprint: string;
  tokens: number;
  promptHash: string | null;
  frame: string;
  servedAt: number;
}

export interface RewindRecord {
  version: number;
  toSeq: number;
  beforeSeq: number;
  messages: number;
  key: string | null;
}

export interface InstructionRecord {
  id: string;
  seq: number;
  participant: string | null;
  text: string;
  kind: string;
  source: string;
  decision: string | null;
  decidedSeq: number | null;
  createdAt: number;
}

/** A thread's row with all rows that belong to it. */
export interface ThreadTable {
  row: ThreadRecord;
  /** By seq. */
  served: Map<number, ServedRecord>;
  /** System prompts that were served, by hash. */
  prompts: Map<string, string>;
  messages: MessageRecord[];
  summaries: SummaryRecord[];
  prepared: PreparedRecord | null;
  /** Generations that were proposed, by what was decided about them, of the audit log. */
  approved: Set<number>;
  rejected: Set<number>;
  attempts: AttemptRecord[];
  rewinds: RewindRecord[];
  /** By id. */
  instructions: Map<string, InstructionRecord>;
  /** The transaction that holds its row lock. */
  lockedBy: object | null;
  /** Number of messages visible to others while that transaction has uncommitted appends. */
  committed: number | null;
}
