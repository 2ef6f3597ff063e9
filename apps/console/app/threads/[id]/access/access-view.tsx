'use client';

import { IconKey } from '@tabler/icons-react';
import { useMissingScope } from '@/ui/access/use-missing-scope';
import { Empty } from '@/ui/messages/empty';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { RowsLoading } from '@/ui/lists/rows-loading';
import thread from '../thread.module.css';
import classes from './access.module.css';
import { CreateToken } from './create-token';
import { TokenTable } from './token-table';
import { useThreadTokens } from './use-thread-tokens';

/** Who may use this thread without a key: its live tokens, to issue and to revoke. */
export function AccessView({ threadId }: { threadId: string }) {
  const list = useThreadTokens(threadId);
  const seesOwnOnly = useMissingScope('threads:manage') !== null;
  const tokens = list.data?.data ?? [];
  return (
    <div className={thread.scroll} tabIndex={0} role="group" aria-label="Thread tokens">
      <div className={classes.top}>
        <p className={classes.about}>
          A thread token opens this thread alone, for a day at most: its messages, contexts, outputs and
          events, within its scopes. It is sent as a key is. It does not open another thread, fork this one or
          issue tokens. It ends at its time, when it is revoked, with the key that issued it, and with the
          thread.{seesOwnOnly && ' Your key lists the tokens that it issued itself.'}
        </p>
        <CreateToken threadId={threadId} live={tokens.length} />
      </div>
      {list.isPending ? (
        <RowsLoading rows={3} />
      ) : list.isError && tokens.length === 0 ? (
        <ProblemPanel problem={problemOf(list.error)} onRetry={() => void list.refetch()} />
      ) : tokens.length === 0 ? (
        <Empty icon={IconKey} title="No live tokens">
          Give one to an agent that runs elsewhere, a sandbox or a web page: a key would open every thread.
        </Empty>
      ) : (
        <TokenTable threadId={threadId} tokens={tokens} />
      )}
    </div>
  );
}
