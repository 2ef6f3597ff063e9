/** A page of a list. */
export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** Every item of a list, page by page: a page is asked for when the one before it was read. */
export async function* itemsOf<T>(pageAt: (cursor?: string) => Promise<Page<T>>): AsyncGenerator<T> {
  for (let cursor: string | undefined; ;) {
    const { data, next_cursor: next } = await pageAt(cursor);
    yield* data;
    if (next === null) return;
    cursor = next;
  }
}
