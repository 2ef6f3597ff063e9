'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';

export type Fidelity = NonNullable<Schemas['Summary']['fidelity']>;

/** Messages after a fold in which the agent's needs are looked for. */
const followed = 60;

/** What a generation kept and lost, with the agent's needs up to now. Null for one from before it was measured. */
export function useFidelity(thread: Schemas['Thread'], { generation, as_of_seq: asOf }: Schemas['Summary']) {
  return useQuery({
    queryKey: ['summary', thread.id, generation, Math.min(thread.last_seq, asOf + followed)],
    queryFn: async ({ signal }): Promise<Fidelity | null> => {
      const path = { id: thread.id, generation };
      const summary = await dataOf(
        browserApi.GET('/v1/threads/{id}/summaries/{generation}', { params: { path }, signal }),
      );
      return summary.fidelity ?? null;
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
