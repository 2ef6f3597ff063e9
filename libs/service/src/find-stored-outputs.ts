import { findOutputs, type OutputRow } from '@spillway/store';
import type { Runtime } from './runtime.js';

/** Outputs that messages refer to, by id. Without any, no query is made. */
export async function findStoredOutputs(
  rt: Runtime,
  projectId: string,
  messages: readonly { outputId: string | null }[],
): Promise<Map<string, OutputRow>> {
  const ids = messages.flatMap((message) => message.outputId ?? []);
  return new Map((await findOutputs(rt.store, projectId, ids)).map((row) => [row.id, row]));
}
