import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { threadPath } from '@/app/threads/thread-path';
import { StateBadge } from '@/app/threads/list/state-badge';
import { Copy } from '@/ui/copy';
import { Live } from '@/ui/frame/live';
import { count, percent, short } from '@/ui/quantity';
import { TimeAgo } from '@/ui/time-ago';
import { RetryButton } from '../list/retry-button';
import { CompactButton } from './compact-button';
import { EraseThread } from './erase-thread';
import { ExportMenu } from './export-menu';
import { Gauge } from './pressure/gauge';
import { Pressure } from './pressure/pressure';
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
          <EraseThread threadId={thread.id} />
          <CompactButton thread={thread} />
        </div>
      </div>
      <Facts thread={thread} context={context} />
      {context && <Gauge context={context} />}
      <Pressure thread={thread} context={context} />
    </header>
  );
}

function Facts({ thread, context }: Pick<Props, 'thread' | 'context'>) {
  const { total_tokens: recorded, live_tokens: live, saved_tokens: saved, compaction } = thread;
  const metadata = Object.entries(thread.metadata);
  return (
    <dl className={classes.facts}>
      <Fact name="Model">
        <span className={classes.model} title={thread.model ?? undefined}>
          {thread.model ?? 'not set'}
        </span>
      </Fact>
      <Fact name="Recorded">
        <span title={`${count(recorded)} tokens`}>
          {short(recorded)}
          <span className={classes.unit}> tokens</span>
        </span>
      </Fact>
      <Fact name="Live">
        <span title={`${count(live)} tokens`}>
          {short(live)}
          <span className={classes.unit}> tokens</span>
        </span>
      </Fact>
      <Fact name="Saved">
        <strong className={saved > 0 ? classes.saved : ''} title={`${count(saved)} tokens`}>
          {percent(saved / Math.max(1, recorded))}
        </strong>
      </Fact>
      {context?.degraded && (
        <Fact name="Sent now">
          <span title={`${count(context.tokens.total)} tokens`}>{short(context.tokens.total)} tokens</span>
        </Fact>
      )}
      <Fact name="Summary" wide>
        {compaction.generation === 0
          ? 'none yet'
          : `generation ${compaction.generation}, through ${count(compaction.covered_through)}`}
      </Fact>
      {thread.forked_from && (
        <Fact name="Forked from">
          <Link
            href={threadPath(thread.forked_from.thread, thread.forked_from.at)}
            className={`mono ${classes.metadata}`}
            title={`${thread.forked_from.thread}, at message ${count(thread.forked_from.at)}`}
          >
            {thread.forked_from.thread}
          </Link>{' '}
          at {count(thread.forked_from.at)}
        </Fact>
      )}
      <Fact name="Activity" wide>
        <TimeAgo at={thread.updated_at} />
      </Fact>
      {metadata.map(([key, value]) => (
        <Fact key={key} name={<bdi>{key}</bdi>}>
          <bdi className={classes.metadata} title={`${key}: ${value}`}>
            {value}
          </bdi>
        </Fact>
      ))}
    </dl>
  );
}

/** A `wide` one is hidden in narrow windows: other tabs show it too. */
const Fact = ({ name, wide = false, children }: { name: ReactNode; wide?: boolean; children: ReactNode }) => (
  <div className={classes.fact} data-wide={wide}>
    <dt>{name}</dt>
    <dd className="num">{children}</dd>
  </div>
);
