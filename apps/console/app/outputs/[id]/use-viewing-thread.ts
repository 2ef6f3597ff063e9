'use client';

import type { Schemas } from '@spillway/client';
import { useQueryString } from '@/ui/lists/query-string';

/** Returns the id of the thread that an output was opened from: the one that recorded it, or a fork of that. */
export function useViewingThread(output: Schemas['Output']): string {
  const [params] = useQueryString();
  return params.get('thread') ?? output.thread_id;
}
