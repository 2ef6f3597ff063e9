import { SpillwayError } from '@spillway/engine';
import { messageSizes, type MessageSize } from '@spillway/store';
import { getThread } from '../threads/get-thread.js';
import type { Runtime } from '../runtime.js';
import { listMessages, type ListedMessage, type MessagesQuery } from './list-messages.js';

export interface MessageQuery extends Pick<MessagesQuery, 'projectId' | 'threadId' | 'withOutputs'> {
  seq: number;
  /** How many messages before and after it. */
  around: number;
  view?: 'original' | 'context' | undefined;
}

/** Target bytes of all neighbours, outputs and media included. */
const maxNeighbourBytes = 1024 * 1024;

/**
 * One message whole, with its neighbours as far as they fit, by seq. Throws `thread_not_found`, `message_not_found`.
 */
export async function getMessage(rt: Runtime, query: MessageQuery): Promise<ListedMessage[]> {
  const { projectId, threadId, seq, around, view, withOutputs } = query;
  const thread = await getThread(rt, projectId, threadId);
  const sizes = await messageSizes(rt.store.query, {
    projectId,
    threadUid: thread.uid,
    after: Math.max(0, seq - around - 1),
    // The sum may be larger than a seq in Postgres can be.
    before: Math.min(seq + around + 1, thread.nextSeq),
    limit: 2 * around + 1,
  });
  if (!sizes.some((one) => one.seq === seq))
    throw new SpillwayError('message_not_found', 'The thread has no message with this seq.');
  const { from, to } = neighboursWithin(sizes, seq);
  const page = await listMessages(rt, {
    projectId,
    threadId,
    after: from - 1,
    before: to + 1,
    limit: to - from + 1,
    maxBytes: Infinity,
    ...(view ? { view } : {}),
    ...(withOutputs === undefined ? {} : { withOutputs }),
  });
  return page.data;
}

/** The stretch around a message that grows on both sides until its neighbours take these bytes. */
function neighboursWithin(sizes: readonly MessageSize[], seq: number) {
  const at = sizes.findIndex((one) => one.seq === seq);
  let [first, last] = [at, at];
  let left = maxNeighbourBytes;
  let [isOpenBefore, isOpenAfter] = [true, true];
  while (isOpenBefore || isOpenAfter) {
    isOpenBefore &&= first > 0 && sizes[first - 1]!.bytes <= left;
    if (isOpenBefore) left -= sizes[--first]!.bytes;
    isOpenAfter &&= last + 1 < sizes.length && sizes[last + 1]!.bytes <= left;
    if (isOpenAfter) left -= sizes[++last]!.bytes;
  }
  return { from: sizes[first]!.seq, to: sizes[last]!.seq };
}
