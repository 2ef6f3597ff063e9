import type { Schemas } from '@spillway/client';

type KeyList = Schemas['KeyList'];

/** Reads the list to its end: `page` reads the page of a cursor. */
export async function allKeys(page: (cursor?: string) => Promise<KeyList>): Promise<KeyList> {
  const first = await page();
  const data = [...first.data];
  for (let cursor = first.next_cursor; cursor !== null;) {
    const next = await page(cursor);
    data.push(...next.data);
    cursor = next.next_cursor;
  }
  return { data, next_cursor: null };
}
