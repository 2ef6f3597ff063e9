import { SpillwayError } from '@spillway/engine';
import {
  findSummary,
  fork,
  isStatementTimeout,
  readThread,
  requestCompaction,
  type Fork,
  type SummaryRow,
  type ThreadRow,
} from '@spillway/store';
import { hintCompaction } from '../compaction/hint-compaction.js';
import { reached } from '../crash-point.js';
import { refuseRewoundTarget, summaryBefore } from '../messages/rewind-target.js';
import type { Runtime } from '../runtime.js';
import { weighUnder } from '../summaries/activate-generation.js';
import { callersBehind } from '../summaries/callers/callers-behind.js';
import { getThread } from './get-thread.js';
import { newUid } from './new-uid.js';
import { untilUnchanged } from './until-unchanged.js';

export interface ForkInput {
  projectId: string;
  /** The thread that is forked. */
  threadId: string;
  /** The newest message that the fork has; 0 for none. Undefined: the newest of the thread. */
  at?: number | undefined;
  /** The id of the fork; undefined: a new UUID. */
  newId?: string | undefined;
}

/**
 * Makes a thread with the messages of another up to a seq, its settings and the summary that ends there or before, with
 * the caller's own one that this was made from, or the one that is about to be active again. Its
 * context is what the other's would be after a rewind to that seq; no model is called. Idempotent: the same fork again
 * answers with the thread, and `created` is false. Throws `thread_not_found`, `invalid_request`, `message_rewound`,
 * `thread_exists`, `thread_erased`, `thread_too_large`, `thread_busy`.
 */
export async function forkThread(
  rt: Runtime,
  asked: ForkInput,
): Promise<{ thread: ThreadRow; created: boolean }> {
  const { projectId, threadId, newId } = asked;
  return untilUnchanged(async () => {
    const parent = await getThread(rt, projectId, threadId);
    const known = newId === undefined ? undefined : await readThread(rt.store.query, projectId, newId);
    if (known) return { thread: sameFork(known, asked), created: false };
    const atSeq = asked.at ?? parent.headSeq;
    await refuseRewoundTarget(rt, parent, atSeq, 'at');
    const comingBack = await callersComingBack(rt, parent, atSeq);
    const summary = comingBack ?? (await summaryBefore(rt, parent, atSeq));
    const uid = newUid();
    const liveTokens = await liveTokensOf(rt, parent, summary, atSeq);
    reached('fork.before_commit');
    const wanted = {
      projectId,
      threadId,
      threadUid: parent.uid,
      newId: newId ?? uid,
      newUid: uid,
      atSeq,
      generation: summary?.generation ?? 0,
      madeFrom: await callersOwnBelow(rt, parent, summary),
      liveTokens,
      contentVersion: parent.contentVersion,
      policyVersion: parent.policyVersion,
    };
    const made = comingBack ? forkAndRebuild(rt, wanted) : fork(rt.store.query, wanted);
    const thread = await made.catch(asTooLarge);
    if (!thread) return undefined;
    reached('fork.committed');
    if (thread.state === 'due') hintCompaction(rt, thread);
    return { thread, created: true };
  });
}

/** The caller's own summary that another was made from: a rebuild in the fork goes on from it. 0 for none. */
async function callersOwnBelow(rt: Runtime, parent: ThreadRow, summary: SummaryRow | null): Promise<number> {
  if (summary === null || summary.method === 'caller') return 0;
  const callers = await callersBehind(rt, { ...parent, generation: summary.generation });
  return callers?.generation ?? 0;
}

/**
 * The caller's own summary that is about to be active again, because what was folded onto it was withdrawn: the fork
 * shows it at once. Null without one, or where it covers messages that the fork does not have.
 */
async function callersComingBack(rt: Runtime, parent: ThreadRow, atSeq: number): Promise<SummaryRow | null> {
  if (parent.generation > 0) return null;
  const callers = await callersBehind(rt, parent);
  if (callers === null || callers.toSeq > atSeq) return null;
  const { projectId, uid: threadUid } = parent;
  return (await findSummary(rt.store, { projectId, threadUid }, callers.generation)) ?? null;
}

/** The pins, holds and instructions beside that summary may be older than those of now: the rebuild takes those of now. */
const forkAndRebuild = (rt: Runtime, wanted: Fork): Promise<ThreadRow | undefined> =>
  rt.store.transaction(async (query) => {
    const thread = await fork(query, wanted);
    if (!thread) return undefined;
    const { projectId, newId, atSeq: seq } = wanted;
    return requestCompaction(query, projectId, newId, { kind: 'rebuild', seq });
  });

/** A retry would take as long, so it is not called an outage. */
function asTooLarge(error: unknown): never {
  if (!isStatementTimeout(error)) throw error;
  throw new SpillwayError(
    'thread_too_large',
    'The messages are too large to copy in 8 s. Nothing was made. Fork the thread at an earlier message.',
    undefined,
    { cause: error },
  );
}

/** Without `at` any fork of the thread is the same: it was made from the newest message of then. */
function sameFork(known: ThreadRow, { threadId, at }: ForkInput): ThreadRow {
  if (known.deletedAt) throw new SpillwayError('thread_erased', 'The thread with this id was erased.');
  if (known.forkedFrom === threadId && (at === undefined || known.forkSeq === at)) return known;
  const what =
    known.forkedFrom === null ? 'and is no fork' : `and is a fork of ${known.forkedFrom} at ${known.forkSeq}`;
  throw new SpillwayError('thread_exists', `A thread with this id exists ${what}.`);
}

async function liveTokensOf(
  rt: Runtime,
  parent: ThreadRow,
  summary: SummaryRow | null,
  atSeq: number,
): Promise<number> {
  const isAsIs = atSeq === parent.headSeq && (summary?.generation ?? 0) === parent.generation;
  return isAsIs ? parent.liveTokens : (await weighUnder(rt, parent, summary, atSeq)).liveTokens;
}
