import { setTimeout } from 'node:timers/promises';
import { align, identityOf, type Alignment } from '@spillway/client/agent';
import { formats, SpillwayError, type Body } from '@spillway/engine';
import {
  postedHashes,
  readBodies,
  readEntries,
  readEntriesWithBodies,
  readThread,
  seqBefore,
  type BodyRow,
  type ThreadRow,
} from '@spillway/store';
import { appendMessages } from '../messages/append-messages.js';
import { postedHash, type IncomingMessage } from '../messages/prepare-messages.js';
import { rewindThread } from '../messages/rewind-thread.js';
import { storedOf } from '../messages/entries.js';
import type { Runtime } from '../runtime.js';
import { referenceOf, refuseReferences, type WireApi } from './wire-api.js';

/** Another writer came between at most this often. */
const maxTries = 4;
const maxPauseMs = 50;
/**
 * A history is compared with so many of the newest messages: with more when none of these is in it. One that ends
 * further back is recorded anew: read at once, a longer thread would fill the memory.
 */
const compared = [256, 8_192];
/** Bodies of more tokens are read piece by piece: a message may have 8 MiB, and so many of them would fill the memory. */
const tokensAtOnce = 1_000_000;
/** One statement writes at most as many. */
const batch = 500;

export interface History {
  api: Pick<WireApi, 'format'>;
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
 * was lost on its way, or that the caller wants again. What the model is asked now is as the caller sends it, also where
 * an earlier try had another image or another result of the same call. Returns the thread's newest seq. Throws
 * `thread_erased`, `thread_busy`, and what recording throws.
 */
export async function syncHistory(rt: Runtime, history: History): Promise<number> {
  const { projectId, threadId, messages, incoming } = history;
  for (let attempt = 1; attempt <= maxTries; attempt++) {
    const thread = await readThread(rt.store.query, projectId, threadId);
    if (thread?.deletedAt) throw new SpillwayError('thread_erased', 'This thread was erased.');
    const found = await continuationOf(rt, thread, messages);
    const { recorded, known, gone } = thread ? await withoutChanged(rt, thread, history, found) : found;
    refuseReferences(messages.slice(known));
    // Checked before the rewind: a request that is refused takes nothing back.
    const fresh = incoming(messages.slice(known));
    try {
      let head = thread?.headSeq ?? 0;
      if (gone > 0) {
        const last = recorded[recorded.length - gone - 1]?.seq;
        const toSeq = last ?? (await seqBefore(rt.store.query, projectId, thread!.uid, recorded[0]!.seq));
        await rewindThread(rt, { projectId, threadId, toSeq, ifLastSeq: head });
        head = toSeq;
      }
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
      if (!isOvertaken(error)) throw error;
      // Callers that try again at the same moment take each other's messages back again.
      await setTimeout(Math.random() * maxPauseMs);
    }
  }
  throw new SpillwayError('thread_busy', 'Other callers keep writing to this thread. Retry.');
}

/** Another caller appended or rewound since the thread was read. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof SpillwayError && (error.code === 'last_seq_changed' || error.code === 'message_rewound');

interface Recorded {
  seq: number;
  /** Its provider's id; undefined without one. */
  itemId: unknown;
  identity: string;
}

interface Continuation extends Alignment {
  recorded: Recorded[];
  /** Of the history. */
  identities: string[];
}

/**
 * Takes back the first message of the caller's newest input that was recorded with other content, and what follows it.
 * Identities know neither what an image shows nor what a result says. What stands before the newest answer stays as it
 * was recorded: callers shorten it, and the model has seen it.
 */
async function withoutChanged(
  rt: Runtime,
  { projectId, uid }: ThreadRow,
  { api, messages, incoming }: History,
  found: Continuation,
): Promise<Continuation> {
  const isInput = (body: Body | undefined) =>
    body !== undefined && formats[api.format].read(body).role !== 'assistant';
  const { recorded, identities, known, gone } = found;
  // Of a message of the history, what is recorded stands so much further on.
  const shift = recorded.length - gone - known;
  let first = known;
  while (isInput(messages[first - 1]) && recorded[first - 1 + shift]?.identity === identities[first - 1])
    first--;
  if (first === known) return found;
  const again = incoming(messages.slice(first, known));
  const seqs = again.map((_, i) => recorded[first + shift + i]!.seq);
  const hashes = await postedHashes(rt.store.query, projectId, uid, seqs);
  const changed = again.findIndex(
    ({ body }, i) => !hashes.get(seqs[i]!)?.equals(postedHash(JSON.stringify(body))),
  );
  return changed < 0
    ? found
    : { ...found, known: first + changed, gone: recorded.length - (first + changed + shift) };
}

/** Finds where a history continues a thread, among as few of the newest messages as that takes. */
async function continuationOf(
  rt: Runtime,
  thread: ThreadRow | undefined,
  messages: readonly Body[],
): Promise<Continuation> {
  const nothing = { recorded: [], identities: [], known: 0, gone: 0 };
  if (!thread) return nothing;
  const { headSeq, leadingThrough } = thread;
  let found: Continuation = nothing;
  for (const newest of compared) {
    const after = Math.max(leadingThrough, headSeq - newest);
    const recorded = await identitiesAfter(rt, thread, after);
    const older = after > leadingThrough;
    const identities = identitiesOf(messages, recorded);
    found = {
      recorded,
      identities,
      ...align(
        identities,
        recorded.map(({ identity }) => identity),
        { older },
      ),
    };
    // One message that is not there is new; a history that is not there may end far back.
    if (found.known > 0 || !older || messages.length < 2) break;
  }
  return found;
}

async function identitiesAfter(
  rt: Runtime,
  { projectId, uid, headSeq, totalTokens }: ThreadRow,
  after: number,
): Promise<Recorded[]> {
  const { query } = rt.store;
  const range = { projectId, threadUid: uid, after, through: headSeq, also: [] };
  if (Number(totalTokens) <= tokensAtOnce) return (await readEntriesWithBodies(query, range)).map(recordedOf);
  const recorded: Recorded[] = [];
  for (const seqs of inPieces(await readEntries(query, range)))
    for (const row of await readBodies(query, projectId, uid, seqs)) recorded.push(recordedOf(row));
  return recorded;
}

function recordedOf(row: BodyRow): Recorded {
  const { body } = storedOf(row);
  return { seq: row.seq, itemId: body.id, identity: identityOf(body) };
}

/** The seqs of messages whose bodies have so many tokens together, or of one message with more. */
function* inPieces(entries: readonly { seq: number; tokens: number }[]): Generator<number[]> {
  let seqs: number[] = [];
  let tokens = 0;
  for (const entry of entries) {
    if (seqs.length > 0 && tokens + entry.tokens > tokensAtOnce) {
      yield seqs;
      [seqs, tokens] = [[], 0];
    }
    seqs.push(entry.seq);
    tokens += entry.tokens;
  }
  if (seqs.length > 0) yield seqs;
}

/** A reference to a recorded item is that item. */
function identitiesOf(messages: readonly Body[], recorded: readonly Recorded[]): string[] {
  const items = new Map(recorded.map(({ itemId, identity }) => [itemId, identity]));
  return messages.map((message) => items.get(referenceOf(message) ?? message) ?? identityOf(message));
}
