'use client';

import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { arrivedAt } from '@/ui/lists/arrived-at';
import { allKeys } from './all-keys';

type Key = Schemas['Key'];

/** All keys of the project. `first` is the page that the server has read, null when it could not. */
export function useAllKeys(first: Schemas['KeyList'] | null): Key[] {
  const keys = useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) =>
      allKeys((cursor) => dataOf(browserApi.GET('/v1/keys', { params: { query: { cursor } }, signal }))),
    // Of more than a page the rest is read at once.
    ...(first === null
      ? {}
      : { initialData: first, initialDataUpdatedAt: first.next_cursor === null ? arrivedAt(first) : 0 }),
  });
  return keys.data?.data ?? [];
}
