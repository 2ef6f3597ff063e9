'use client';

import { Button } from '@mantine/core';
import { IconDatabaseImport } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { notifyProblem } from '@/ui/messages/notify';
import classes from './first-run.module.css';
import { isLoaded, listSamples, postSample } from './samples-api';
import { SampleRow } from './sample-row';

/** Loads the recorded sample threads, which are then compacted live. */
export function LoadSamples({ threads }: { threads: readonly Schemas['ThreadListed'][] }) {
  const queries = useQueryClient();
  const samples = useQuery({ queryKey: ['samples'], queryFn: listSamples, staleTime: Infinity });
  const load = useMutation({
    mutationFn: async () => {
      for (const { name } of samples.data ?? []) await postSample(name);
    },
    onError: notifyProblem,
    onSettled: () => queries.invalidateQueries({ queryKey: ['first-threads'] }),
  });
  if (samples.data?.length === 0)
    return <p className={classes.hint}>This installation has no sample threads.</p>;
  const rows = (samples.data ?? []).map((sample) => ({
    sample,
    thread: threads.find((thread) => thread.id === sample.thread_id),
  }));
  const begun = load.isPending || load.isSuccess || rows.some(({ thread }) => thread);
  const longest = Math.max(0, ...rows.map(({ thread }) => thread?.last_seq ?? 0));
  return (
    <>
      <p className={classes.hint}>
        {samples.data ? samples.data.length : 'A few'} recorded threads of a coding agent, real tool outputs
        included, in windows of 16,000 tokens: they are compacted while you watch. The page of each has a
        button that erases it.
      </p>
      <Button
        variant="default"
        leftSection={<IconDatabaseImport size={14} aria-hidden />}
        loading={load.isPending}
        disabled={!samples.data || load.isSuccess}
        onClick={() => load.mutate()}
      >
        Load the sample threads
      </Button>
      {begun && (
        <ul className={classes.samples} aria-live="polite">
          {rows.map(({ sample, thread }) => (
            <SampleRow
              key={sample.name}
              name={sample.name}
              thread={thread}
              isLongest={load.isSuccess && isLoaded(thread) && thread.last_seq === longest}
            />
          ))}
        </ul>
      )}
    </>
  );
}
