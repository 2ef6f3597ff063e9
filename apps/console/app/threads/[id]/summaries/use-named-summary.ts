'use client';

import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { problemOf } from '@/ui/messages/problem';
import { wholeIn } from '../pressure/whole-in';

type Summary = Schemas['Summary'];

export interface NamedSummary {
  /** The generation that is named; null for none. */
  generation: number | null;
  /** Undefined while it is read, and when it cannot be. */
  summary: Summary | undefined;
  /** Whether the thread does not have it. */
  isGone: boolean;
  /** Reads it when it is not in the list. */
  alone: UseQueryResult<Summary>;
}

/** The largest number of a generation. */
const maxGeneration = 2_147_483_647;

/**
 * The generation that a value of the URL names. One that is not in the list is read alone: the list has the newest
 * ones, and may be older than the link. `listed` is undefined while the list is read.
 */
export function useNamedSummary(
  threadId: string,
  listed: readonly Summary[] | undefined,
  value: string | null,
): NamedSummary {
  const live = useLiveQueryOptions();
  const generation = wholeIn(value, maxGeneration);
  const inList = listed?.find((one) => one.generation === generation);
  const [shown, setShown] = useState(inList);
  if (inList !== undefined && inList !== shown) setShown(inList);
  // A proposed one leaves the list when it is rejected. It is deleted then: it must not be asked for again.
  const isRejected = inList === undefined && shown?.generation === generation && shown.state === 'proposed';
  const alone = useQuery({
    ...live(['summary', threadId, generation, 'whole']),
    queryFn: ({ signal }) => {
      const params = { path: { id: threadId, generation: generation ?? 0 } };
      return dataOf(browserApi.GET('/v1/threads/{id}/summaries/{generation}', { params, signal }));
    },
    enabled: generation !== null && listed !== undefined && inList === undefined && !isRejected,
  });
  const isGone = isRejected || (alone.isError && problemOf(alone.error).status === 404);
  return { generation, summary: inList ?? (isGone ? undefined : alone.data), isGone, alone };
}
