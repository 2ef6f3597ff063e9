import { Tooltip } from '@mantine/core';
import { IconArrowForwardUp, IconPinFilled } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { count, short } from '@/ui/quantity';
import { TimeAgo } from '@/ui/time-ago';
import { CompactionMark } from './compaction-mark';
import type { Coverage } from './coverage';
import { MessageBody } from './message-body';
import classes from './message-row.module.css';
import { RoleChip } from './role-chip';
import type { ToolTies } from './tool-ties';

interface Props {
  seq: number;
  message: Schemas['Message'] | undefined;
  coverage: Coverage;
  ties: ToolTies;
  selected: boolean;
  onGo: (seq: number) => void;
}

export function MessageRow({ seq, message, coverage, ties, selected, onGo }: Props) {
  const folded = coverage.of(seq);
  const carried = folded !== undefined && (coverage.carried.has(seq) || (message && isLeading(message)));
  const ending = coverage.endingAt(seq);
  return (
    <>
      <article
        className={classes.row}
        data-selected={selected}
        data-folded={folded !== undefined && !carried}
        aria-label={`Message ${seq}`}
      >
        <div className={classes.gutter}>
          <a
            href={`?seq=${seq}`}
            className={`num ${classes.seq}`}
            onClick={(event) => {
              event.preventDefault();
              onGo(seq);
            }}
          >
            {count(seq)}
          </a>
          {message && <TokenBar tokens={message.tokens} />}
        </div>
        <Tooltip
          label={
            folded
              ? `Folded into generation ${folded.generation} (${folded.from_seq}–${folded.to_seq})`
              : 'In the context'
          }
        >
          <div
            className={classes.band}
            data-parity={folded ? folded.generation % 2 : undefined}
            data-live={!folded}
          >
            {folded && <span className={classes.bandLabel}>g{folded.generation}</span>}
          </div>
        </Tooltip>
        <div className={classes.main}>
          {message ? (
            <>
              <header className={classes.head}>
                <RoleChip role={message.role} />
                {message.pinned && (
                  <span className={classes.tag}>
                    <IconPinFilled size={12} aria-hidden /> pinned
                  </span>
                )}
                {carried && (
                  <span className={classes.tag}>
                    <IconArrowForwardUp size={12} aria-hidden /> carried
                  </span>
                )}
                <span className={classes.meta}>
                  {message.id && <span className={`mono ${classes.clientId}`}>{message.id}</span>}
                  <TimeAgo at={message.created_at} />
                </span>
              </header>
              <MessageBody message={message} ties={ties} onGo={onGo} />
            </>
          ) : (
            <div className={classes.waiting} role="img" aria-label="Loading" />
          )}
        </div>
      </article>
      {ending && <CompactionMark summary={ending} />}
    </>
  );
}

/** Leading system messages are in every context, whatever was folded. */
const isLeading = (message: Schemas['Message']): boolean =>
  message.seq === 1 && (message.role === 'system' || message.role === 'developer');

/** On a log scale: a message of ten thousand tokens should stand out and one of twenty still show. */
function TokenBar({ tokens }: { tokens: number }) {
  const width = Math.min(100, (Math.log10(Math.max(1, tokens)) / 4.5) * 100);
  return (
    <span className={classes.tokens} title={`${count(tokens)} tokens in a context`}>
      <span className="num">{short(tokens)} tok</span>
      <span className={classes.tokenBar}>
        <span style={{ width: `${width}%` }} />
      </span>
    </span>
  );
}
