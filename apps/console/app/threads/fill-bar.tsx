import type { Schemas } from '@spillway/client';
import { count, percent, short } from '@/ui/quantity';
import classes from './fill-bar.module.css';

/** How full a thread's context window is: live tokens on the width of the window, with a tick at the trigger. */
export function FillBar({ thread }: { thread: Schemas['Thread'] }) {
  const { live_tokens: live, trigger_tokens: trigger, limit_tokens: limit, context_window: window } = thread;
  const level = live > limit ? 'over' : live >= trigger ? 'due' : 'fine';
  const label = `${count(live)} of ${count(window)} tokens (${percent(live / window)}); compaction starts at ${count(trigger)}`;
  return (
    <span className={classes.fill} title={label}>
      <span className={classes.bar} role="img" aria-label={label}>
        <span
          className={classes.level}
          data-level={level}
          style={{ width: `${Math.min(100, (100 * live) / window)}%` }}
        />
        <span className={classes.trigger} style={{ left: `${Math.min(100, (100 * trigger) / window)}%` }} />
      </span>
      <span className={`num ${classes.text}`} aria-hidden>
        {percent(live / window)} <span className="dim">of {short(window)}</span>
      </span>
    </span>
  );
}
