'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useEffect, useState } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { settledAs, type Asked, type RunEnd } from './settled-as';

export type RunKind = Asked['kind'];

export interface CompactionRun {
  /** The request; null without one, or after it was dismissed. */
  kind: RunKind | null;
  state: Schemas['ThreadCompaction']['state'] | undefined;
  /** The operator had paused compaction when it was requested. */
  isPaused: boolean;
  /** Its outcome; null while it runs. */
  end: RunEnd | null;
  start: (kind: RunKind, isPaused?: boolean) => void;
  putAway: () => void;
}

/** Follows a request about a thread's summary until it ends, with a shorter interval than the page. */
export function useCompactionRun(thread: Schemas['Thread']): CompactionRun {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<(Asked & { at: number; isPaused: boolean }) | null>(null);
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
    isPaused: asked?.isPaused ?? false,
    end,
    start: (kind, isPaused = false) => {
      const { generation: from, prepared } = thread.compaction;
      setAsked({ kind, from, proposed: prepared?.generation ?? null, at: Date.now(), isPaused });
    },
    putAway: () => setAsked(null),
  };
}

const followMs = 700;

/** A new summary does not change these; a withdrawn generation must not be requested again. */
const settled = new Set(['run', 'facts', 'facts-summary', 'excerpt']);
