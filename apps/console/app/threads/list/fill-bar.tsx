import type { Schemas } from '@spillway/client';
import { count, percent, short } from '@/ui/quantity';
import classes from './fill-bar.module.css';

type Filled = Pick<
  Schemas['ThreadListed'],
  'live_tokens' | 'limit_tokens' | 'trigger_tokens' | 'summary_tokens'
>;

/**
 * How full a thread's context is: the summary and the rest by the width of the limit, with a tick at the trigger. 100 %
 * is the limit: the window minus the response reserve.
 */
export function FillBar({ thread }: { thread: Filled }) {
  const { live_tokens: live, limit_tokens: limit, trigger_tokens: trigger, summary_tokens: summary } = thread;
  const level = live > limit ? 'over' : live >= trigger ? 'due' : 'fine';
  const share = (tokens: number) => `${Math.min(100, (100 * tokens) / limit)}%`;
  const says = { over: ', over the limit', due: ', compaction is due', fine: '' }[level];
  const label = `${count(live)} of ${count(limit)} tokens (${percent(live / limit)})${says}: ${count(summary)} of the summary, ${count(live - summary)} of messages and system; compaction starts at ${count(trigger)}`;
  return (
    <span className={classes.fill} title={label}>
      <span className={classes.bar} data-level={level} role="img" aria-label={label}>
        <span className={classes.summary} style={{ width: share(Math.min(summary, live)) }} />
        <span
          className={classes.rest}
          style={{ width: share(Math.min(limit, live) - Math.min(summary, live)) }}
        />
        <span className={classes.trigger} style={{ left: share(trigger) }} />
      </span>
      <span className={`num ${classes.text}`} data-level={level} aria-hidden>
        {percent(live / limit)} <span className="dim">of {short(limit)}</span>
      </span>
    </span>
  );
}
