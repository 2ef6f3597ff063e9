'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
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
    const segment = /^\/threads\/([^/]+)$/.exec(path)?.[1];
    if (segment === undefined) return;
    const id = segment.replaceAll('%3A', ':').replaceAll('%40', '@');
    recentThreads.write([id, ...recentThreads.read().filter((other) => other !== id)].slice(0, most));
  }, [path]);
}
