import type { EventPosition, EventRow } from '@spillway/store';

/** An event as published: ids, numbers and words of ours only. */
export interface PublishedEvent {
  id: string;
  type: string;
  timestamp: string;
  thread_id: string;
  data: Record<string, string | number | null>;
}

export const publishedEvent = (row: EventRow): PublishedEvent => ({
  id: writeEventId(row),
  type: row.type,
  timestamp: row.at.toISOString(),
  thread_id: row.threadId,
  data: JSON.parse(row.data) as PublishedEvent['data'],
});

/** The id contains the position of an event, so that a reader can resume after it. */
export const writeEventId = ({ xid, id }: EventPosition): string => `${xid}-${id}`;

export function readEventId(text: string): EventPosition | undefined {
  const [, xid, id] = /^(\d{1,18})-(\d{1,18})$/.exec(text) ?? [];
  return xid === undefined || id === undefined ? undefined : { xid, id };
}
