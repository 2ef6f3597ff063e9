import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { threadPath } from '@/app/threads/thread-path';
import { Copy } from '@/ui/copy';
import { bytes, count } from '@/ui/quantity';
import { ShownText } from '@/ui/text/shown-text';
import { TimeAgo } from '@/ui/time-ago';
import { AnsweredCall } from './answered-call';
import classes from './output.module.css';
import { useViewingThread } from './use-viewing-thread';

/** The origin and the properties of an output. */
export function OutputHeader({ output }: { output: Schemas['Output'] }) {
  const thread = useViewingThread(output);
  return (
    <>
      <div className={classes.title}>
        <Link href="/outputs" className={classes.crumb}>
          Outputs
        </Link>
        <span className="dim" aria-hidden>
          /
        </span>
        <Link
          href={`${threadPath(thread)}?tab=outputs`}
          className={`mono ${classes.thread}`}
          title={thread}
          prefetch={false}
        >
          {thread}
        </Link>
        <span className="dim" aria-hidden>
          /
        </span>
        <h1 className="mono" title={output.tool ?? undefined}>
          <ShownText text={output.tool ?? 'output'} />
        </h1>
        <Copy text={output.id} label="Copy the output's id" />
      </div>
      {/* An erasure removes the hash too. What the call said may be erased as well. */}
      {output.sha256 !== '' && <AnsweredCall output={output} />}
      <dl className={classes.facts}>
        {output.seq !== null && (
          <Fact name="Message and stub">
            <Link href={threadPath(thread, output.seq)} prefetch={false} className="inline">
              {count(output.seq)}
            </Link>
          </Fact>
        )}
        {thread !== output.thread_id && (
          <Fact name="Shared with">
            <Link
              href={threadPath(output.thread_id, output.seq)}
              prefetch={false}
              className={`mono inline ${classes.thread}`}
              title={`${output.thread_id} recorded it`}
            >
              {output.thread_id}
            </Link>
          </Fact>
        )}
        <Fact name="Size">
          <span title={`${count(output.bytes)} bytes`}>{bytes(output.bytes)}</span>
        </Fact>
        <Fact name="Lines">{count(output.lines)}</Fact>
        <Fact name="Tokens">{count(output.tokens)}</Fact>
        <Fact name="Type">{output.content_type}</Fact>
        <Fact name="Stored">
          <TimeAgo at={output.created_at} />
        </Fact>
        {output.deleted_at ? (
          <Fact name="Deleted">
            <TimeAgo at={output.deleted_at} />
          </Fact>
        ) : (
          <Fact name="Expires">
            {output.pinned ? (
              'never, pinned'
            ) : output.expires_at ? (
              <TimeAgo at={output.expires_at} />
            ) : (
              'never'
            )}
          </Fact>
        )}
        {output.sha256 !== '' && (
          <Fact name="SHA-256">
            <span className="mono" title={output.sha256}>
              {output.sha256.slice(0, 12)}…
            </span>{' '}
            <Copy text={output.sha256} label="Copy the SHA-256" />
          </Fact>
        )}
      </dl>
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt>{name}</dt>
    <dd className="num">{children}</dd>
  </div>
);
