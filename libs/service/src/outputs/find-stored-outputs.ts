import { findOutputsOfMessages, type OutputRow, type GrownThread } from '@spillway/store';
import type { AppendedMessage } from '../messages/appended.js';
import type { StagedOutput } from './offload-output.js';
import type { Runtime } from '../runtime.js';

/** Outputs that messages of a thread refer to, by seq. Without any, no query is made. */
export async function findStoredOutputs(
  rt: Runtime,
  { projectId, uid }: GrownThread,
  messages: readonly { seq: number; outputId: string | null }[],
): Promise<Map<number, OutputRow[]>> {
  const seqs = messages.filter((message) => message.outputId !== null).map((message) => message.seq);
  const outputs = await findOutputsOfMessages(rt.store, { projectId, threadUid: uid }, seqs);
  return Map.groupBy(outputs, (output) => output.seq!);
}

/**
 * Outputs of messages that were just posted, by seq. Only those of messages recorded before are read. The messages are
 * recorded, so a failed read is logged and is not an error.
 */
export async function outputsOfAppended(
  rt: Runtime,
  thread: GrownThread,
  messages: readonly AppendedMessage[],
): Promise<Map<number, readonly (OutputRow | StagedOutput)[]>> {
  const outputs = new Map<number, readonly (OutputRow | StagedOutput)[]>();
  for (const { seq, outputs: stored } of messages) if (stored) outputs.set(seq, stored);
  try {
    const recorded = messages.filter((message) => message.outputs === null);
    for (const [seq, rows] of await findStoredOutputs(rt, thread, recorded)) outputs.set(seq, rows);
  } catch (error) {
    rt.log.error({ err: error, thread: thread.uid }, 'outputs of replayed messages could not be read');
  }
  return outputs;
}
