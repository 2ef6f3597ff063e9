import { createHash } from 'node:crypto';
import { entryOfMessage, erasedBody, formats, SpillwayError, type Entry } from '@spillway/engine';
import { listMessages, readBodies, readEntries, type ThreadRow } from '@spillway/store';
import { countMessageOffLoop } from './count-message.js';
import { entryOf, storedOf } from './entries.js';
import type { Runtime } from '../runtime.js';
import { withdrawSummaries } from '../summaries/withdraw-summaries.js';

/**
 * Erases the content of one message: its body, its outputs and media, and every summary that was made from it. Its seq,
 * role and call ids stay, so that the messages around it stay valid. Idempotent: what was summarized since it was erased
 * stays. Throws `message_not_found`.
 */
export async function eraseMessage(
  rt: Runtime,
  projectId: string,
  threadId: string,
  seq: number,
): Promise<void> {
  await withdrawSummaries(rt, projectId, threadId, async (thread, entries) => {
    const old = entries.find((entry) => entry.seq === seq) ?? (await rewoundEntry(rt, thread, seq));
    const [row] = await readBodies(rt.store.query, projectId, thread.uid, [seq]);
    if (!row || !old)
      throw new SpillwayError('message_not_found', 'The thread has no message with this seq.');
    if (await isErased(rt, thread, seq)) return { what: null, entry: old };
    const stored = storedOf(row);
    const body = erasedBody(stored);
    const message = formats[stored.format].read(body);
    const { counter } = await rt.settings.ofRow(thread);
    const tokens = await countMessageOffLoop(message, counter);
    const json = JSON.stringify(body);
    const hash = createHash('sha256').update(json).digest();
    const entry = entryOfMessage(message, { ...old, tokens, format: stored.format });
    return { what: { erase: { seq, body: json, tokens, hash } }, entry };
  });
}

async function isErased(rt: Runtime, { projectId, uid }: ThreadRow, seq: number): Promise<boolean> {
  const range = { projectId, threadUid: uid, after: seq - 1, before: seq + 1, limit: 1 };
  const [row] = await listMessages(rt.store, range);
  return row !== undefined && row.erasedAt !== null;
}

/** A message that is in no current context: a window that ends with it still has it. */
async function rewoundEntry(rt: Runtime, thread: ThreadRow, seq: number): Promise<Entry | undefined> {
  const window = {
    projectId: thread.projectId,
    threadUid: thread.uid,
    after: seq - 1,
    through: seq,
    also: [],
  };
  const [row] = await readEntries(rt.store.query, window);
  return row && entryOf(row);
}
