import { SpillwayError } from '@spillway/engine';
import { findSummary, seqBefore, summaryThrough, type SummaryRow, type ThreadRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/**
 * Refuses a seq at which a context cannot end: one that is not recorded yet, or that was rewound. `field` names it in
 * the error. Throws `invalid_request`, `message_rewound`.
 */
export async function refuseRewoundTarget(
  rt: Runtime,
  thread: ThreadRow,
  seq: number,
  field: 'to_seq' | 'at',
): Promise<void> {
  const { projectId, uid, headSeq, nextSeq } = thread;
  if (seq > headSeq && seq >= nextSeq)
    throw new SpillwayError('invalid_request', `The newest message is ${headSeq}.`, [
      { path: `/${field}`, message: `must be at most ${headSeq}` },
    ]);
  if (seq === 0 || seq === headSeq) return;
  const before = await seqBefore(rt.store.query, projectId, uid, seq + 1);
  if (before !== seq || seq > headSeq)
    throw new SpillwayError(
      'message_rewound',
      `Message ${seq} was rewound. The newest message up to it that was not is ${before}.`,
    );
}

/** The summary that covers nothing after a seq: the active one, or else the newest before it. */
export async function summaryBefore(rt: Runtime, thread: ThreadRow, seq: number): Promise<SummaryRow | null> {
  const { projectId, uid: threadUid, generation: active, coveredThrough } = thread;
  const generation =
    coveredThrough <= seq ? active : await summaryThrough(rt.store.query, projectId, threadUid, seq);
  if (!generation) return null;
  return findSummary(rt.store, { projectId, threadUid }, generation);
}
