import {
  listGenerations,
  messageMap,
  type GenerationRow,
  type MapBucket,
  type ThreadRow,
} from '@spillway/store';
import { getThread } from './get-thread.js';
import type { Runtime } from '../runtime.js';

export interface ThreadMap {
  thread: ThreadRow;
  buckets: MapBucket[];
  generations: GenerationRow[];
}

/** Maximum of generations drawn; a longer thread shows its newest. */
const maxGenerations = 1_000;

/**
 * Where the tokens of a thread are, in at most `buckets` ranges, and which generation covers what: enough to draw a
 * thread of any length without reading its messages. Throws `thread_not_found`.
 */
export async function mapThread(
  rt: Runtime,
  projectId: string,
  threadId: string,
  buckets: number,
): Promise<ThreadMap> {
  const thread = await getThread(rt, projectId, threadId);
  const of = { projectId, threadUid: thread.uid };
  const width = Math.max(1, Math.ceil((thread.nextSeq - 1) / buckets));
  const [map, generations] = await Promise.all([
    messageMap(rt.store.query, { ...of, width }),
    listGenerations(rt.store, of, maxGenerations),
  ]);
  return { thread, buckets: map, generations };
}
