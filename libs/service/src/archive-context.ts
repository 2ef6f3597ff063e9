import { contextKey } from '@spillway/blobs';
import type { CompactionPlan } from '@spillway/engine';
import { readBodies, type ThreadRow } from '@spillway/store';
import type { Runtime } from './runtime.js';

const messagesAtOnce = 500;

/**
 * Writes the messages a compaction is about to cover to the thread's folder, one JSON a line, where an agent may grep
 * them (AgentScope's offload_context). Before the commit, and under a name that its range gives: done again, it is
 * the same file, so no crash leaves a hole in what is there.
 */
export async function archiveContext(rt: Runtime, row: ThreadRow, plan: CompactionPlan): Promise<void> {
  const lines: string[] = [];
  for (let from = plan.fromSeq; from <= plan.toSeq; from += messagesAtOnce) {
    const until = Math.min(plan.toSeq, from + messagesAtOnce - 1);
    const seqs = Array.from({ length: until - from + 1 }, (_, i) => from + i);
    for (const { seq, createdAt, format, body } of await readBodies(
      rt.store.query,
      row.projectId,
      row.uid,
      seqs,
    )) {
      lines.push(`{"seq":${seq},"at":"${createdAt.toISOString()}","format":"${format}","message":${body}}\n`);
    }
  }
  const key = contextKey(row.projectId, row.uid, plan.fromSeq, plan.toSeq);
  await rt.blobs.write(key, Buffer.from(lines.join(''), 'utf8'));
}
