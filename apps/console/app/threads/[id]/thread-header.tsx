import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { StateBadge } from '@/app/threads/state-badge';
import { Copy } from '@/ui/copy';
import { Live } from '@/ui/live';
import { count, percent, short } from '@/ui/quantity';
import { TimeAgo } from '@/ui/time-ago';
import { RetryButton } from '../retry-button';
import { CompactButton } from './compact-button';
import { ExportMenu } from './export-menu';
import { Gauge } from './gauge';
import { Pressure } from './pressure';
import classes from './thread-header.module.css';

interface Props {
  thread: Schemas['Thread'];
  context: Schemas['Context'] | undefined;
  failing: boolean;
}

export function ThreadHeader({ thread, context, failing }: Props) {
  const { compaction } = thread;
  const stuck = compaction.state === 'parked' || compaction.state === 'backoff';
  return (
    <header className={classes.header}>
      <div className={classes.top}>
        <div className={classes.name}>
          <Link href="/threads" className={classes.crumb}>
            Threads
          </Link>
          <span className={classes.slash} aria-hidden>
            /
          </span>
          <h1 className={`mono ${classes.id}`} title={thread.id}>
            {thread.id}
          </h1>
          <Copy text={thread.id} label="Copy the id" />
          <StateBadge compaction={compaction} withReason />
          {compaction.next_attempt_at && (
            <span className="dim">
              next try <TimeAgo at={compaction.next_attempt_at} />
            </span>
          )}
        </div>
        <div className={classes.actions}>
          <Live failing={failing} />
          {stuck && <RetryButton threadId={thread.id} />}
          <ExportMenu threadId={thread.id} />
          <CompactButton thread={thread} />
        </div>
      </div>
      <Facts thread={thread} sent={context?.tokens.total ?? thread.live_tokens} />
      {context && <Gauge context={context} />}
      <Pressure thread={thread} context={context} />
    </header>
  );
}

function Facts({ thread, sent }: { thread: Schemas['Thread']; sent: number }) {
  const { total_tokens: recorded, compaction } = thread;
  const saved = recorded > sent ? 1 - sent / recorded : 0;
  return (
    <dl className={classes.facts}>
      <Fact name="Model">{thread.model ?? 'not set'}</Fact>
      <Fact name="Recorded">
        <span title={`${count(recorded)} tokens`}>{short(recorded)} tokens</span>
      </Fact>
      <Fact name="Sent now">
        <span title={`${count(sent)} tokens`}>{short(sent)} tokens</span>
      </Fact>
      <Fact name="Saved">
        <strong className={saved > 0 ? classes.saved : ''}>{percent(saved)}</strong>
      </Fact>
      <Fact name="Summary" wide>
        {compaction.generation === 0
          ? 'none yet'
          : `generation ${compaction.generation}, through ${count(compaction.covered_through)}`}
      </Fact>
      <Fact name="Activity" wide>
        <TimeAgo at={thread.updated_at} />
      </Fact>
    </dl>
  );
}

/** A `wide` one is left out where there is little room: other tabs say it too. */
const Fact = ({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) => (
  <div className={classes.fact} data-wide={wide}>
    <dt>{name}</dt>
    <dd className="num">{children}</dd>
  </div>
);
