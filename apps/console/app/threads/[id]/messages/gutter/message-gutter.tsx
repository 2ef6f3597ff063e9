import type { Schemas } from '@spillway/client';
import type { MouseEvent } from 'react';
import { count, short } from '@/ui/quantity';
import { TimeAgo } from '@/ui/time-ago';
import classes from '../message-row.module.css';

interface Props {
  seq: number;
  message: Schemas['Message'] | undefined;
  onGo: (seq: number) => void;
}

/** The seq, weight and time of a message. */
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
            <TimeAgo at={message.created_at} />
          </span>
        </>
      )}
    </div>
  );
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
