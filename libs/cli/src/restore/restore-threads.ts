import { Readable } from 'node:stream';
import { SpillwayError, type Schemas, type Spillway } from '@spillway/client';
import { endsThread, linesOfBackup, type ThreadHead } from '../backup/backup-file.js';
import { counted } from '../program/counted.js';
import { CommandError } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { causeOf } from '../program/explain-error.js';

export interface RestoredThreads {
  threads: number;
  messages: number;
  outputs: number;
  missing_outputs: number;
  /** Threads that were there already. */
  skipped: number;
  /** Threads whose context is not that of the backup. */
  differing: string[];
  /** Threads that the server does not take, such as one that was erased since, and why. */
  refused: { id: string; reason: string }[];
}

/** What ended the work before its end. */
export interface Failure {
  error: unknown;
}

/** The ids of the backup that the project has already. */
export async function takenIds(spillway: Spillway, ids: readonly string[]): Promise<Set<string>> {
  const wanted = new Set(ids);
  const taken = new Set<string>();
  for await (const { id } of spillway.threads({ limit: 1000 })) if (wanted.has(id)) taken.add(id);
  return taken;
}

interface ThreadsToRestore {
  file: string;
  total: number;
  taken: ReadonlySet<string>;
  /** Ends the work early. */
  signal: AbortSignal;
}

/**
 * Restores the threads of a file that was checked, but for those that are there. Each is restored whole or not at all, and
 * one that the server refuses does not keep the others out. Any other error ends the work and is returned beside what was
 * restored before it.
 */
export async function restoreThreads(
  spillway: Spillway,
  wanted: ThreadsToRestore,
  show: (done: number) => void,
): Promise<{ restored: RestoredThreads; failure: Failure | null }> {
  const restored: RestoredThreads = {
    threads: 0,
    messages: 0,
    outputs: 0,
    missing_outputs: 0,
    skipped: 0,
    differing: [],
    refused: [],
  };
  try {
    await restoreInto(restored, spillway, wanted, show);
    return { restored, failure: null };
  } catch (error) {
    return { restored, failure: { error } };
  }
}

async function restoreInto(
  restored: RestoredThreads,
  spillway: Spillway,
  { file, total, taken, signal }: ThreadsToRestore,
  show: (done: number) => void,
): Promise<void> {
  const lines = linesOfBackup(file);
  await lines.next();
  for (;;) {
    signal.throwIfAborted();
    const next = await lines.next();
    if (next.done) return;
    const head = JSON.parse(next.value.toString('utf8')) as ThreadHead | { type: 'end-of-backup' };
    if (head.type !== 'thread') continue;
    show(restored.threads + restored.skipped + restored.refused.length);
    const section = linesOfThread(lines);
    if (taken.has(head.id)) {
      for await (const line of section) void line;
      restored.skipped++;
      continue;
    }
    const one = await restoreOne(spillway, head.id, section, { done: restored.threads, total, signal });
    if ('reason' in one) restored.refused.push(one);
    else add(restored, one);
  }
}

/** The lines up to the end of a thread. The rest stays for the next one. */
async function* linesOfThread(lines: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for (;;) {
    const next = await lines.next();
    if (next.done) return;
    yield next.value;
    if (endsThread(next.value)) return;
  }
}

async function restoreOne(
  spillway: Spillway,
  id: string,
  section: AsyncGenerator<Buffer>,
  { done, total, signal }: { done: number; total: number; signal: AbortSignal },
): Promise<Schemas['ThreadRestored'] | { id: string; reason: string }> {
  const body = Readable.toWeb(Readable.from(section, { objectMode: false })) as ReadableStream<Uint8Array>;
  try {
    return await spillway.thread(id).restore(body, { signal });
  } catch (error) {
    if (!(error instanceof SpillwayError)) throw error;
    const isAway = error.status === 0 || error.status >= 500 || error.status === 429;
    const isOfKey = error.status === 401 || error.status === 403;
    if (!isAway && !isOfKey) return { id, reason: error.message };
    throw new CommandError(
      error.code,
      `The thread ${id} was not restored: ${isAway && error.status === 0 ? causeOf(error) : error.message.replace(/\.$/, '')}. Restored: ${done} of ${counted(total, 'thread')}.`,
      'Call again with --skip-existing, which goes on with those that are missing.',
      isAway ? exitCode.unavailable : exitCode.failed,
      { cause: error },
    );
  }
}

function add(to: RestoredThreads, one: Schemas['ThreadRestored']): void {
  to.threads++;
  to.messages += one.messages;
  to.outputs += one.outputs;
  to.missing_outputs += one.missing_outputs;
  if (one.same_context === false) to.differing.push(one.id);
}
