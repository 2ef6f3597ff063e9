import {
  readMessage,
  type SummaryFields,
  quotesIn,
  seqMessage,
  withoutForgeries,
  type SeqMessage,
} from '@spillway/engine';
import { findOutputs, readBodies, sharedAmong, type OutputRow, type ThreadRow } from '@spillway/store';
import { storedOf } from '../messages/entries.js';
import type { Runtime } from '../runtime.js';

/** Maximum of messages read; a summary that quotes more loses the rest of its quotes. */
const maxQuoted = 2_000;
const messagesAtOnce = 250;

/**
 * Returns a summary's fields without quotes and facts that messages 1 to `through` do not contain, and without ids of
 * outputs that the thread does not have. Later messages are not what it stands for: it would go on to quote one that was
 * erased or rewound.
 */
export async function verifyClaims(
  rt: Runtime,
  { projectId, uid }: Pick<ThreadRow, 'projectId' | 'uid'>,
  fields: SummaryFields,
  through: number,
): Promise<SummaryFields> {
  const { seqs, outputIds } = quotesIn(fields);
  if (seqs.length === 0 && outputIds.length === 0) return fields;
  const quoted = seqs.filter((seq) => seq >= 1 && seq <= through).slice(0, maxQuoted);
  const messages = new Map<number, SeqMessage>();
  for (let i = 0; i < quoted.length; i += messagesAtOnce) {
    const some = quoted.slice(i, i + messagesAtOnce);
    for (const row of await readBodies(rt.store.query, projectId, uid, some))
      if (row.rewoundBefore === 0) messages.set(row.seq, seqMessage(row.seq, readMessage(storedOf(row))));
  }
  const outputs = await findOutputs(rt.store, projectId, outputIds);
  const shared = await sharedAmong(rt.store.query, { projectId, threadUid: uid }, outputIds);
  const isOwn = ({ id, threadUid }: OutputRow): boolean => threadUid === uid || shared.has(id);
  const own = outputs.filter((output) => isOwn(output) && output.state !== 'staging');
  return withoutForgeries(fields, messages, new Set(own.map((output) => output.id)));
}
