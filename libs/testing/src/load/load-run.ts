import type { Journal } from '../journal.js';
import type { Random } from '../random.js';
import type { SentMessage } from './conversation.js';

export interface LoadOptions {
  /** Base URLs of the APIs; each request takes any of them. */
  apis: readonly string[];
  projects: readonly { name: string; key: string }[];
  threadsPerProject: number;
  messagesPerSecond: number;
  random: Random;
  journal: Journal;
  /** How long a request may take before its outcome counts as unknown. */
  timeoutMs?: number;
  /** How long after `stop` messages without an answer are still retried. */
  patienceMs?: number;
}

export interface StoredOutput {
  id: string;
  expected: string;
  expiresAt: number;
}

/** One agent's thread: it says the next thing when the last one was answered, or given up. */
export interface LoadThread {
  project: { name: string; key: string };
  id: string;
  posts: Generator<SentMessage[], never>;
  ackedSeq: number;
  outputs: StoredOutput[];
  busy: boolean;
}

export interface LoadRun extends Required<LoadOptions> {
  stats: LoadStats;
  /** Until when unknown outcomes are retried. */
  retryUntil: () => number;
}

export interface LoadStats {
  messages: number;
  acked: number;
  retries: number;
  abandoned: number;
  contexts: number;
  outputs: number;
  /** When each append began and how long it took, answered at the first try or not. */
  appends: { at: number; ms: number }[];
  /** Answers that were not 2xx, by status; 0: none came. */
  failures: Record<number, number>;
}
