import type { Schemas } from '@spillway/client';
import type { MouseEvent } from 'react';
import { exactTime } from '@/ui/exact-time';
import { count, short } from '@/ui/quantity';
import { TimeAgo } from '@/ui/time-ago';
import classes from '../message-row.module.css';

interface Props {
  seq: number;
  message: Schemas['Message'] | undefined;
  onGo: (seq: number) => void;
}

/** The seq and weight of a message, and when it was sent. */
export function MessageGutter({ seq, message, onGo }: Props) {
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onGo(seq);
  };
  return (
    <div className={classes.gutter}>
      <a href={`?seq=${seq}`} className={`num ${classes.seq}`} onClick={go}>
        {count(seq)}
      </a>
      {message && (
        <>
          <TokenBar tokens={message.tokens} />
          <span className={classes.time}>
            <MessageTime message={message} />
          </span>
        </>
      )}
    </div>
  );
}

/** When a message was sent, if that is known; a message from elsewhere was recorded later. */
function MessageTime({ message: { sent_at: sent, created_at: recorded } }: { message: Schemas['Message'] }) {
  if (sent === null) return <TimeAgo at={recorded} />;
  return <TimeAgo at={sent} title={`Sent ${exactTime(sent)}, recorded ${exactTime(recorded)}`} />;
}

/** On a log scale, so that both twenty and ten thousand tokens are visible. */
function TokenBar({ tokens }: { tokens: number }) {
  const width = Math.min(100, (Math.log10(Math.max(1, tokens)) / 4.5) * 100);
  return (
    <span className={classes.tokens} title={`${count(tokens)} tokens in a context`}>
      <span className="num">{short(tokens)} tok</span>
      <span className={classes.tokenBar} data-big={tokens >= 2_000}>
        <span style={{ width: `${width}%` }} />
      </span>
    </span>
  );
}
