'use client';

import { IconFileText } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { Empty } from '@/ui/messages/empty';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { LoadMore } from '@/ui/lists/load-more';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { bytes, count } from '@/ui/quantity';
import { QueryLink } from '@/ui/lists/query-link';
import { RowsLoading } from '@/ui/lists/rows-loading';
import table from '@/ui/lists/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import { OutputLink } from '../output-link';
import thread from '../thread.module.css';

/** Tool results that were too large for the context, newest first. */
export function OutputTable({ threadId }: { threadId: string }) {
  const live = useLiveQueryOptions();
  const list = useInfiniteQuery({
    ...live(['outputs', threadId]),
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        browserApi.GET('/v1/threads/{id}/outputs', {
          params: {
            path: { id: threadId },
            query: { limit: 100, ...(pageParam ? { cursor: pageParam } : {}) },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  if (list.isPending) return <RowsLoading rows={6} />;
  if (list.isLoadingError)
    return <ProblemPanel problem={problemOf(list.error)} onRetry={() => void list.refetch()} />;
  const outputs = list.data.pages.flatMap((page) => page.data);
  if (outputs.length === 0) {
    return (
      <Empty icon={IconFileText} title="No offloaded outputs">
        A tool result larger than the policy&apos;s <code>outputs.threshold_tokens</code> is stored here, and
        the model gets a stub that says how to read it.
      </Empty>
    );
  }
  return (
    <div className={thread.scroll} tabIndex={0} role="group" aria-label="Outputs">
      <table className={table.table}>
        <thead>
          <tr>
            <th>Output</th>
            <th>Tool</th>
            <th>Message</th>
            <th className={table.right}>Size</th>
            <th className={table.right}>Lines</th>
            <th className={table.right}>Tokens</th>
            <th>Stored</th>
            <th>Expires</th>
          </tr>
        </thead>
        <tbody>
          {outputs.map((output) => (
            <OutputRow key={output.id} output={output} />
          ))}
        </tbody>
      </table>
      <LoadMore list={list} />
    </div>
  );
}

function OutputRow({ output }: { output: Schemas['Output'] }) {
  return (
    <tr>
      <td>
        <OutputLink outputId={output.id} className="mono" title={output.id}>
          {output.id.slice(0, 8)}…{output.id.slice(-6)}
        </OutputLink>
      </td>
      <td className="mono">{output.tool ?? '—'}</td>
      <td className="num">
        {output.seq === null ? (
          '—'
        ) : (
          <QueryLink changes={{ tab: null, seq: String(output.seq) }}>{count(output.seq)}</QueryLink>
        )}
      </td>
      <td className={`num ${table.right}`}>{bytes(output.bytes)}</td>
      <td className={`num ${table.right}`}>{count(output.lines)}</td>
      <td className={`num ${table.right}`}>{count(output.tokens)}</td>
      <td className="dim">
        <TimeAgo at={output.created_at} />
      </td>
      <td className="dim">
        {output.state !== 'ready' ? (
          output.state
        ) : output.expires_at ? (
          <TimeAgo at={output.expires_at} />
        ) : (
          'never'
        )}
      </td>
    </tr>
  );
}
