import { align, identityOf, type Alignment } from '@spillway/client/agent';
import { SpillwayError, type Body } from '@spillway/engine';
import { readEntriesWithBodies, readThread, type ThreadRow } from '@spillway/store';
import { appendMessages } from '../messages/append-messages.js';
import type { IncomingMessage } from '../messages/prepare-messages.js';
import { rewindThread } from '../messages/rewind-thread.js';
import { storedOf } from '../messages/entries.js';
import type { Runtime } from '../runtime.js';

/** Another writer came between at most this often. */
const maxTries = 4;
/**
 * A history is compared with so many of the newest messages: with more when none of these is in it. One that ends
 * further back is recorded anew: read at once, a longer thread would fill the memory.
 */
const compared = [256, 8_192];
/** One statement writes at most as many. */
const batch = 500;

export interface History {
  projectId: string;
  threadId: string;
  /** The caller's conversation, without its system prompt. It may lack its beginning, or hold only what is new. */
  messages: readonly Body[];
  /** Checks messages and reads them for recording. */
  incoming: (messages: readonly Body[]) => IncomingMessage[];
}

/**
 * Records the messages of a caller's conversation that the thread does not have, in order and once. Where the
 * conversation goes back behind the newest recorded message, the thread is rewound to that place first: an answer that
 * was lost on its way, or that the caller wants again. Returns the thread's newest seq. Throws `thread_erased`,
 * `thread_busy`, and what recording throws.
 */
export async function syncHistory(rt: Runtime, history: History): Promise<number> {
  const { projectId, threadId, messages, incoming } = history;
  const identities = messages.map(identityOf);
  for (let attempt = 1; attempt <= maxTries; attempt++) {
    const thread = await readThread(rt.store.query, projectId, threadId);
    if (thread?.deletedAt) throw new SpillwayError('thread_erased', 'This thread was erased.');
    const { recorded, known, gone } = await continuationOf(rt, thread, identities);
    try {
      let head = thread?.headSeq ?? 0;
      if (gone > 0) {
        const toSeq = recorded[recorded.length - gone - 1]!.seq;
        await rewindThread(rt, { projectId, threadId, toSeq, ifLastSeq: head });
        head = toSeq;
      }
      const fresh = incoming(messages.slice(known));
      for (let i = 0; i < fresh.length; i += batch) {
        const some = fresh.slice(i, i + batch);
        const { messages: written } = await appendMessages(rt, {
          projectId,
          threadId,
          messages: some,
          ifLastSeq: head,
        });
        head = written.at(-1)!.seq;
      }
      return head;
    } catch (error) {
      if (!(error instanceof SpillwayError && error.code === 'last_seq_changed')) throw error;
    }
  }
  throw new SpillwayError('thread_busy', 'Other callers keep writing to this thread. Retry.');
}

interface Recorded {
  seq: number;
  identity: string;
}

/** Finds where a history continues a thread, among as few of the newest messages as that takes. */
async function continuationOf(
  rt: Runtime,
  thread: ThreadRow | undefined,
  history: readonly string[],
): Promise<Alignment & { recorded: Recorded[] }> {
  const nothing = { recorded: [], known: 0, gone: 0 };
  if (!thread) return nothing;
  const { headSeq, leadingThrough } = thread;
  let found: Alignment & { recorded: Recorded[] } = nothing;
  for (const newest of compared) {
    const after = Math.max(leadingThrough, headSeq - newest);
    const recorded = await identitiesAfter(rt, thread, after);
    const older = after > leadingThrough;
    found = {
      recorded,
      ...align(
        history,
        recorded.map(({ identity }) => identity),
        { older },
      ),
    };
    // One message that is not there is new; a history that is not there may end far back.
    if (found.known > 0 || !older || history.length < 2) break;
  }
  return found;
}

async function identitiesAfter(
  rt: Runtime,
  { projectId, uid, headSeq }: ThreadRow,
  after: number,
): Promise<Recorded[]> {
  const range = { projectId, threadUid: uid, after, through: headSeq, also: [] };
  const rows = await readEntriesWithBodies(rt.store.query, range);
  return rows.map((row) => ({ seq: row.seq, identity: identityOf(storedOf(row).body) }));
}
