'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconFlask } from '@tabler/icons-react';
import { useDebouncedValue } from '@mantine/hooks';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { Empty } from '@/ui/messages/empty';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { useQueryString } from '@/ui/lists/query-string';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { DryRunResult } from './dry-run-result';
import type { PolicyInput } from '../policy-fields';
import own from '../policy.module.css';
import { ThreadPicker } from './thread-picker';

interface Props {
  draft: PolicyInput;
  dirty: boolean;
  /** The thread whose policy the draft is; null: the project's, which can be tried on any thread. */
  threadId: string | null;
}

/** Replays a thread under the draft and the current policy. Changes nothing and calls no model. */
export function DryRun({ draft, dirty, threadId }: Props) {
  const [params, change] = useQueryString();
  const chosen = threadId ?? params.get('try');
  const [policy] = useDebouncedValue(draft, 400);
  const run = useQuery({
    queryKey: ['policy-simulation', chosen, threadId === null, policy],
    queryFn: ({ signal }) => {
      const level = threadId === null ? ('project' as const) : ('thread' as const);
      const body = { thread_id: chosen!, policy, level };
      return dataOf(browserApi.POST('/v1/policy/simulate', { body, signal }));
    },
    enabled: chosen !== null,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  return (
    <div>
      <div className={own.tryWith}>
        {threadId === null && <ThreadPicker value={chosen} onChoose={(id) => change({ try: id })} />}
        <p className="dim">
          {dirty
            ? 'Your unsaved draft, beside the policy as it is. Nothing is changed and no model is called.'
            : 'The draft is the policy as it is: change something in the form, and see here what it would do.'}
        </p>
      </div>
      {chosen === null ? (
        <Empty icon={IconFlask} title="Try the policy on a thread">
          Choose a thread. Its messages are replayed under your draft and under the current policy, by the
          planner that compacts it.
        </Empty>
      ) : run.isError ? (
        <ProblemPanel problem={problemOf(run.error)} onRetry={() => void run.refetch()} />
      ) : run.isPending ? (
        <RowsLoading rows={8} />
      ) : (
        <DryRunResult result={run.data} stale={run.isPlaceholderData} />
      )}
    </div>
  );
}
