'use client';

import { Tooltip, VisuallyHidden } from '@mantine/core';
import type { Schemas } from '@spillway/client';
import { count, percent, short } from '@/ui/quantity';
import { QueryLink } from '@/ui/lists/query-link';
import { partKinds, partOrder, tokensByKind, type PartKind } from '../context-parts';
import classes from './gauge.module.css';

interface Props {
  context: Schemas['Context'];
  /** The message of the context; null for the current one. */
  at?: number | null;
}

/**
 * The context window to scale: what is sent, what is free up to the limit, what is reserved for the answer, and
 * where compaction starts. The bar is for eyes and pointers; the legend says the same to everybody, and both lead to
 * the messages of a part.
 */
export function Gauge({ context, at = null }: Props) {
  const { context_window: window, limit, trigger } = context.budget;
  const sums = tokensByKind(context);
  const free = Math.max(0, limit - context.tokens.total);
  const reserve = Math.max(0, window - limit);
  const share = (tokens: number) => `${(100 * tokens) / window}%`;
  const parts = partOrder.filter((kind) => sums[kind] > 0);
  const toPart = (kind: PartKind) => ({ tab: 'context', at: at === null ? null : String(at), part: kind });
  const say = (kind: PartKind) =>
    `${partKinds[kind].about}: ${count(sums[kind])} tokens, ${percent(sums[kind] / window)} of the window`;
  return (
    <div className={classes.gauge}>
      <div className={classes.track} aria-hidden>
        {parts.map((kind) => (
          <Tooltip key={kind} label={say(kind)} multiline maw={280}>
            <span className={classes.part} data-kind={kind} style={{ width: share(sums[kind]) }}>
              <QueryLink changes={toPart(kind)} className={classes.partLink} tabIndex={-1}>
                {null}
              </QueryLink>
            </span>
          </Tooltip>
        ))}
        <Tooltip label={`Free up to the limit: ${count(free)} tokens`}>
          <span className={classes.free} style={{ width: share(free) }} />
        </Tooltip>
        <Tooltip label={`Reserved for the model's response: ${count(reserve)} tokens`}>
          <span className={classes.reserve} style={{ width: share(reserve) }} />
        </Tooltip>
        <Tooltip label={`Compaction starts at ${count(trigger)} tokens`}>
          <span className={classes.trigger} style={{ left: share(trigger) }} />
        </Tooltip>
        <Tooltip label={`Limit: ${count(limit)} tokens; no context is larger`}>
          <span className={classes.limit} style={{ left: share(limit) }} />
        </Tooltip>
      </div>
      <ul className={classes.legend} aria-label="Context window">
        {parts.map((kind) => (
          <li key={kind}>
            <Tooltip label={say(kind)} multiline maw={280}>
              <span>
                <QueryLink changes={toPart(kind)} className={classes.legendLink}>
                  <span className={classes.swatch} data-kind={kind} aria-hidden>
                    {partKinds[kind].letter}
                  </span>
                  {partKinds[kind].label}{' '}
                  <span className="num" aria-hidden>
                    {short(sums[kind])}
                  </span>
                  <VisuallyHidden>{count(sums[kind])} tokens; show them</VisuallyHidden>
                </QueryLink>
              </span>
            </Tooltip>
          </li>
        ))}
        <li className={classes.rest} title={`Free up to the limit: ${count(free)} tokens`}>
          Free <span className="num">{short(free)}</span>
        </li>
        <li className={classes.rest} title={`Reserved for the model's response: ${count(reserve)} tokens`}>
          Output reserve <span className="num">{short(reserve)}</span>
        </li>
        <li className={classes.total}>
          <span className="num">
            {count(context.tokens.total)} of {count(window)}
          </span>{' '}
          · limit <span className="num">{count(limit)}</span>
        </li>
      </ul>
    </div>
  );
}
