import { eventsOfThread } from '@spillway/store';
import { pageOf, readCursor, writeCursor, type Page } from '../paging/cursor.js';
import { getThread } from '../threads/get-thread.js';
import type { Runtime } from '../runtime.js';
import { publishedEvent, type PublishedEvent } from './event.js';

/** Ids of events count up from 1 and stay within the safe integers. */
const last = Number.MAX_SAFE_INTEGER;

/** Events of a thread, newest first. Throws `thread_not_found`. */
export async function listThreadEvents(
  rt: Runtime,
  of: { projectId: string; threadId: string; limit?: number; cursor?: string },
): Promise<Page<PublishedEvent>> {
  const { projectId, threadId, limit = 100 } = of;
  const before = readCursor(of.cursor, last, last);
  const { uid } = await getThread(rt, projectId, threadId);
  const rows = await eventsOfThread(rt.store.query, projectId, uid, before, limit + 1);
  const { data, nextCursor } = pageOf(rows, limit, ({ id }) => writeCursor(Number(id)));
  return { data: data.map(publishedEvent), nextCursor };
}
