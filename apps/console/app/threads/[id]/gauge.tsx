'use client';

import { Tooltip } from '@mantine/core';
import type { Schemas } from '@spillway/client';
import { count, percent, short } from '@/ui/quantity';
import { partKinds, partOrder, tokensByKind } from './context-parts';
import classes from './gauge.module.css';

/**
 * The context window to scale: what is sent, what is free up to the limit, what is reserved for the answer, and
 * where compaction starts.
 */
export function Gauge({ context }: { context: Schemas['Context'] }) {
  const { context_window: window, limit, trigger } = context.budget;
  const sums = tokensByKind(context);
  const free = Math.max(0, limit - context.tokens.total);
  const reserve = Math.max(0, window - limit);
  const share = (tokens: number) => `${(100 * tokens) / window}%`;
  const parts = partOrder.filter((kind) => sums[kind] > 0);
  return (
    <div className={classes.gauge}>
      <div className={classes.track}>
        {parts.map((kind) => (
          <Tooltip
            key={kind}
            label={`${partKinds[kind].about}: ${count(sums[kind])} tokens, ${percent(sums[kind] / window)}`}
            multiline
            maw={280}
          >
            <span className={classes.part} data-kind={kind} style={{ width: share(sums[kind]) }} />
          </Tooltip>
        ))}
        <Tooltip label={`Free up to the limit: ${count(free)} tokens`}>
          <span className={classes.free} style={{ width: share(free) }} />
        </Tooltip>
        <Tooltip label={`Reserved for the model's answer: ${count(reserve)} tokens`}>
          <span className={classes.reserve} style={{ width: share(reserve) }} />
        </Tooltip>
        <Tooltip label={`Compaction starts at ${count(trigger)} tokens`}>
          <span className={classes.trigger} style={{ left: share(trigger) }} />
        </Tooltip>
      </div>
      <ul className={classes.legend} aria-label="Context window">
        {parts.map((kind) => (
          <li key={kind}>
            <span className={classes.swatch} data-kind={kind} aria-hidden>
              {partKinds[kind].letter}
            </span>
            {partKinds[kind].label} <span className="num">{short(sums[kind])}</span>
          </li>
        ))}
        <li className={classes.rest}>
          Free <span className="num">{short(free)}</span>
        </li>
        <li className={classes.rest}>
          Reserve <span className="num">{short(reserve)}</span>
        </li>
        <li className={classes.total}>
          <span className="num">
            {count(context.tokens.total)} of {count(window)}
          </span>{' '}
          · trigger <span className="num">{count(trigger)}</span>
        </li>
      </ul>
    </div>
  );
}
