'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { segmentText } from '@/app/decoded-segment';
import { localList } from '../lists/local-list';

export const recentThreads = localList(
  'spillway.recent-threads',
  (id): id is string => typeof id === 'string',
);

const most = 6;

/** Remembers opened threads, the last one first. */
export function useRememberThread(): void {
  const path = usePathname();
  useEffect(() => {
    const id = segmentText(/^\/threads\/([^/]+)$/.exec(path)?.[1] ?? '');
    if (!id) return;
    recentThreads.write([id, ...recentThreads.read().filter((other) => other !== id)].slice(0, most));
  }, [path]);
}
