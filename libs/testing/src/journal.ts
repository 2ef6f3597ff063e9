import { open, readFile } from 'node:fs/promises';

interface OfThread {
  project: string;
  thread: string;
}

/** Before a message is sent for the first time. `sha256` is of its values: see message-hash.ts. */
export interface Intent extends OfThread {
  kind: 'intent';
  id: string;
  sha256: string;
}

/** A 2xx for that message. */
export interface Ack extends OfThread {
  kind: 'ack';
  id: string;
  status: number;
  seq: number;
  output: string | null;
}

/** An answer that a correct client should never get: not 2xx, and not retryable. */
export interface Refusal extends OfThread {
  kind: 'refused';
  id: string;
  status: number;
  code: string;
}

export interface ContextRead extends OfThread {
  kind: 'context';
  tokens: number;
  limit: number;
  /** The same messages by the client's own count. */
  counted: number;
  lastSeq: number;
  /** The newest seq that the client had an answer for at its request. */
  ackedBefore: number;
  summary: { from: number; to: number } | null;
  elided: { from: number; to: number }[];
  /** Ids of the messages that were in it. */
  shown: string[];
  /** Why a provider would refuse it. */
  complaint: string | null;
  /** Names of the projects whose canary was in the answer. */
  canaries: string[];
}

export interface OutputRead extends OfThread {
  kind: 'output';
  output: string;
  status: number;
  /** Hashes of the received and of the posted bytes. */
  sha256: string | null;
  expected: string;
  canaries: string[];
  /** Milliseconds until it expires, as the service said when it was stored; negative after expiry. */
  expiresInMs: number;
}

export type JournalEntry = (Intent | Ack | Refusal | ContextRead | OutputRead) & { at: number };
export type NewEntry = Intent | Ack | Refusal | ContextRead | OutputRead;

export interface Journal {
  /** Settles when the line is on disk: the client continues only then. */
  write(...entries: NewEntry[]): Promise<void>;
  close(): Promise<void>;
}

/** What a client sent and received, in order. */
export async function openJournal(path: string): Promise<Journal> {
  const file = await open(path, 'a');
  let waiting = '';
  let flushed: Promise<void> | null = null;
  /** One write and fsync for all lines that arrived during the previous one. */
  const flush = async (after: Promise<void> | null): Promise<void> => {
    await after;
    const lines = waiting;
    waiting = '';
    if (lines === '') return;
    await file.appendFile(lines);
    await file.datasync();
  };
  const write = (...entries: NewEntry[]): Promise<void> => {
    const at = Date.now();
    const idle = waiting === '';
    for (const entry of entries) waiting += `${JSON.stringify({ ...entry, at })}\n`;
    if (idle || flushed === null) flushed = flush(flushed);
    return flushed;
  };
  return {
    write,
    close: async () => {
      await flushed;
      await file.close();
    },
  };
}

/** The entries of a journal; an incomplete last line was never acted upon. */
export async function readJournal(path: string): Promise<JournalEntry[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line) as JournalEntry);
}
