import type { Page } from '@spillway/service';

/** A page of a list in API form. */
export const listView = <T, V>({ data, nextCursor }: Page<T>, view: (row: T) => V) => ({
  data: data.map((row) => view(row)),
  next_cursor: nextCursor,
});
