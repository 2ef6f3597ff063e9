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

/** An answer that no client that keeps to the rules should get: not 2xx, not "try again". */
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
  /** The newest seq that the client had an answer for when it asked. */
  ackedBefore: number;
  summary: { from: number; to: number } | null;
  elided: { from: number; to: number }[];
  /** Ids of the messages that were in it. */
  shown: string[];
  /** What the provider would refuse it for. */
  complaint: string | null;
  /** Names of the projects whose canary was in the answer. */
  canaries: string[];
}

export interface OutputRead extends OfThread {
  kind: 'output';
  output: string;
  status: number;
  /** Of the bytes that came, and of those that were posted. */
  sha256: string | null;
  expected: string;
  canaries: string[];
  /** Milliseconds until it expires, by what the service said when it was stored; negative: it has. */
  expiresInMs: number;
}

export type JournalEntry = (Intent | Ack | Refusal | ContextRead | OutputRead) & { at: number };
export type NewEntry = Intent | Ack | Refusal | ContextRead | OutputRead;

export interface Journal {
  /** Settles when the line is on the disk: only then may the client go on. */
  write(...entries: NewEntry[]): Promise<void>;
  close(): Promise<void>;
}

/** What a client knows it asked for and was told, in the order in which it happened. */
export async function openJournal(path: string): Promise<Journal> {
  const file = await open(path, 'a');
  let waiting = '';
  let flushed: Promise<void> | null = null;
  /** One write and fsync for all lines that came while the last one was in progress. */
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

/** The entries of a journal; a last line that a crash cut off was never acted upon. */
export async function readJournal(path: string): Promise<JournalEntry[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line) as JournalEntry);
}
