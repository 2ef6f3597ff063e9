import { findOutputsOfMessages, type OutputRow, type ThreadRow } from '@spillway/store';
import type { Runtime } from './runtime.js';

/** Outputs that messages of a thread refer to, by seq. Without any, no query is made. */
export async function findStoredOutputs(
  rt: Runtime,
  { projectId, uid }: ThreadRow,
  messages: readonly { seq: number; outputId: string | null }[],
): Promise<Map<number, OutputRow[]>> {
  const seqs = messages.filter((message) => message.outputId !== null).map((message) => message.seq);
  const outputs = await findOutputsOfMessages(rt.store, { projectId, threadUid: uid }, seqs);
  return Map.groupBy(outputs, (output) => output.seq!);
}
