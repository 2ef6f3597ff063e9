'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useEffect, useState } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { settledAs, type RunEnd } from './settled-as';

export type RunKind = 'compact' | 'rebuild' | 'quarantine';

export interface CompactionRun {
  /** What was asked for; null when nothing was, or it was put away. */
  kind: RunKind | null;
  state: Schemas['ThreadCompaction']['state'] | undefined;
  /** How it ended; null while it goes on. */
  end: RunEnd | null;
  start: (kind: RunKind) => void;
  putAway: () => void;
}

/** Follows what somebody asked of a thread's summary until it has ended, more closely than a page refreshes. */
export function useCompactionRun(thread: Schemas['Thread']): CompactionRun {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ kind: RunKind; from: number; at: number } | null>(null);
  const path = { id: thread.id };
  const followed = useQuery({
    queryKey: ['run', path.id, asked?.at],
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/threads/{id}', { params: { path }, signal })),
    enabled: asked !== null,
    refetchInterval: ({ state }) => (asked && state.data && settledAs(asked, state.data) ? false : followMs),
  });
  const end = asked && followed.data ? settledAs(asked, followed.data) : null;
  const isOver = end !== null;
  useEffect(() => {
    if (!isOver) return;
    void queries.invalidateQueries({ predicate: ({ queryKey }) => !settled.has(String(queryKey[0])) });
  }, [isOver, queries]);
  return {
    kind: asked?.kind ?? null,
    state: followed.data?.compaction.state,
    end,
    start: (kind) => setAsked({ kind, from: thread.compaction.generation, at: Date.now() }),
    putAway: () => setAsked(null),
  };
}

const followMs = 700;

/** What a new summary does not change; of a generation that was withdrawn nothing must be asked again. */
const settled = new Set(['run', 'facts', 'facts-summary', 'excerpt']);
