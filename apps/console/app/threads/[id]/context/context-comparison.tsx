'use client';

import type { Schemas } from '@spillway/client';
import { useMemo } from 'react';
import { count, plural } from '@/ui/quantity';
import { ShownText } from '@/ui/text/shown-text';
import { QueryLink } from '@/ui/lists/query-link';
import { contentOf } from '../messages/content/message-content';
import { compareContexts, type ComparedPart } from './compare-contexts';
import classes from './comparison.module.css';
import { KindChip } from './kind-chip';

type Context = Schemas['Context'];

/**
 * The differences of two contexts, side by side, the older one on the left. Each is labelled with the message that it
 * says it is of: while another one loads it is not the one of the URL.
 */
export function ContextComparison({ one, other }: { one: Context; other: Context }) {
  const [left, right] = other.last_seq > one.last_seq ? [one, other] : [other, one];
  const [leftSeq, rightSeq] = [left.last_seq, right.last_seq];
  const { onlyOne, onlyOther, both } = useMemo(() => compareContexts(left, right), [left, right]);
  return (
    <div className={classes.comparison} tabIndex={0} role="group" aria-label="Comparison">
      <p className={classes.sum} role="status">
        From message {count(leftSeq)} to {count(rightSeq)}: {plural(onlyOne.length, 'message')} left the
        context, {count(onlyOther.length)} came, {count(both)} stayed; {count(left.tokens.total)} →{' '}
        {count(right.tokens.total)} tokens.
      </p>
      <Side title={`Removed since ${count(leftSeq)}`} sign="−" parts={onlyOne} context={left} />
      <Side title={`Added by ${count(rightSeq)}`} sign="+" parts={onlyOther} context={right} />
    </div>
  );
}

const most = 200;

interface SideProps {
  title: string;
  sign: string;
  parts: ComparedPart[];
  context: Context;
}

function Side({ title, sign, parts, context }: SideProps) {
  return (
    <section className={classes.side} aria-label={title}>
      <h2 className={classes.title}>
        {title} <span className="num dim">{count(parts.length)}</span>
      </h2>
      {parts.length === 0 && <p className="dim">Nothing.</p>}
      <ul className={classes.parts}>
        {parts.slice(0, most).map(({ key, part, message }) => (
          <li key={key} data-sign={sign}>
            <span className={classes.partHead}>
              <span aria-hidden>{sign}</span> <KindChip kind={part.kind} />
              {part.seq !== null && (
                <QueryLink
                  changes={{ tab: null, at: null, with: null, seq: String(part.seq) }}
                  className="num"
                >
                  message {count(part.seq)}
                </QueryLink>
              )}
              {part.kind === 'summary' && context.summary && <span>G{context.summary.generation}</span>}
              <span className="num dim">{count(part.tokens)} tok</span>
            </span>
            <span className={classes.excerpt}>
              <ShownText text={excerptOf(message)} />
            </span>
          </li>
        ))}
      </ul>
      {parts.length > most && <p className="dim">and {count(parts.length - most)} more</p>}
    </section>
  );
}

/** The start of a message's text on one line. */
function excerptOf(message: Record<string, unknown>): string {
  const { text, toolCalls } = contentOf(message);
  const calls = toolCalls.map((call) => `${call.name}(${call.arguments.slice(0, 120)})`).join(' ');
  return (text === '' ? calls : text).slice(0, 240).replace(/\s+/g, ' ');
}
