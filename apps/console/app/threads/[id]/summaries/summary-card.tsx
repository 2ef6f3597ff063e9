'use client';

import type { Schemas } from '@spillway/client';
import { IconChevronRight } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Copy } from '@/ui/copy';
import { count, percent } from '@/ui/quantity';
import { QueryLink } from '@/ui/query-link';
import { exactTime } from '@/ui/exact-time';
import { CitedText } from './cited-text';
import { RestoreSummary } from './restore-summary';
import classes from './summaries.module.css';

type Summary = Schemas['Summary'];

/** `task_overview` as `Task overview`: a policy's own schema names its own fields. */
const titleOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

interface Props {
  threadId: string;
  summary: Summary;
  open: boolean;
  named: boolean;
}

export function SummaryCard({ threadId, summary, open, named }: Props) {
  const card = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (named) card.current?.scrollIntoView({ block: 'start' });
  }, [named]);
  return (
    <details ref={card} className={classes.card} open={open} data-active={summary.active}>
      <summary className={classes.head}>
        <IconChevronRight size={14} aria-hidden className={classes.chevron} />
        <strong>Generation {summary.generation}</strong>
        {summary.active && <span className={classes.active}>active</span>}
        <span className="num">
          messages {count(summary.from_seq)}–{count(summary.to_seq)}
        </span>
        <span className={`num ${classes.dimmed}`}>
          {count(summary.tokens_before)} → {count(summary.tokens_after)} tokens
        </span>
        <span className={classes.dimmed}>
          {summary.model ? `${summary.method}, ${summary.model}` : summary.method}
        </span>
        <time className={`num ${classes.time}`} dateTime={summary.created_at}>
          {exactTime(summary.created_at)}
        </time>
      </summary>
      <div className={classes.body}>
        <Facts threadId={threadId} summary={summary} />
        {Object.entries(summary.fields).map(([name, text]) => (
          <section key={name} className={classes.field}>
            <h3>{titleOf(name)}</h3>
            {text.trim() === '' ? (
              <p className="dim">nothing noted</p>
            ) : (
              <p className={classes.fieldText}>
                <CitedText text={text} throughSeq={summary.to_seq} />
              </p>
            )}
          </section>
        ))}
      </div>
    </details>
  );
}

function Facts({ threadId, summary }: { threadId: string; summary: Summary }) {
  const { tokens, tokens_before: before, tokens_after: after, carried, restored_from: restored } = summary;
  return (
    <div className={classes.facts}>
      <span>
        <span className="num">{count(tokens)}</span> tokens in the context
        {before > 0 && after < before && <>, which it made {percent(1 - after / before)} smaller</>}
      </span>
      <span>
        chain {summary.chain}
        {restored !== null && <>, restored from generation {restored}</>}
      </span>
      {carried.length > 0 && (
        <span>
          carried:{' '}
          {carried.map((seq, i) => (
            <span key={seq}>
              {i > 0 && ', '}
              <QueryLink changes={{ tab: null, generation: null, seq: String(seq) }} className="inline">
                {count(seq)}
              </QueryLink>
            </span>
          ))}
        </span>
      )}
      <QueryLink
        changes={{ tab: 'context', generation: null, at: String(summary.as_of_seq) }}
        className="inline"
      >
        context at {count(summary.as_of_seq)}
      </QueryLink>
      <span className={classes.actions}>
        <Copy text={summary.text} label="Copy what the model sees" />
        {!summary.active && <RestoreSummary threadId={threadId} summary={summary} />}
      </span>
    </div>
  );
}
