import type { Schemas } from '@spillway/client';
import { IconAlertTriangle } from '@tabler/icons-react';
import { makerWords } from '@/app/attempts/maker-words';
import { count, percent, plural } from '@/ui/quantity';
import { QueryLink } from '@/ui/lists/query-link';
import { partKinds, partOrder, tokensByKind } from '../context-parts';
import { Gauge } from '../pressure/gauge';
import classes from './context.module.css';
import { KindChip } from './kind-chip';
import { sayElided } from './why-it-is-in';
import { toGeneration } from '../summaries/to-generation';

interface Props {
  context: Schemas['Context'];
  at: number | null;
}

const maxGaps = 20;

/** The sum of a context, part by part. */
export function ContextSums({ context, at }: Props) {
  const sums = tokensByKind(context);
  const { summary, budget, tokens } = context;
  return (
    <aside className={classes.sums} aria-label="Sums">
      <h2 className={classes.sumsTitle}>{at === null ? 'As of now' : `As of message ${count(at)}`}</h2>
      {at !== null && <Gauge context={context} at={at} />}
      <table className={classes.ledger}>
        <tbody>
          {partOrder
            .filter((kind) => sums[kind] > 0)
            .map((kind) => (
              <tr key={kind} title={partKinds[kind].about}>
                <td>
                  <KindChip kind={kind} />
                </td>
                <td className="num dim">
                  {count(context.parts.filter((part) => part.kind === kind).length)}
                </td>
                <td className="num">{count(sums[kind])}</td>
                <td className="num dim">{percent(sums[kind] / budget.context_window)}</td>
              </tr>
            ))}
          <tr className={classes.totalRow}>
            <td>Total</td>
            <td className="num dim">{count(context.messages.length)}</td>
            <td className="num">{count(tokens.total)}</td>
            <td className="num dim">{percent(tokens.total / budget.context_window)}</td>
          </tr>
        </tbody>
      </table>
      <p className={classes.fine}>
        {summary ? (
          <>
            <QueryLink changes={toGeneration(summary.generation)} className="inline">
              Summary generation {summary.generation}
            </QueryLink>{' '}
            (by {makerWords(summary)}) stands for messages 1–{count(summary.to_seq)}.
          </>
        ) : (
          'No summary in this context.'
        )}{' '}
        Limit {count(budget.limit)}, compaction from {count(budget.trigger)} tokens.
      </p>
      {context.elided.length > 0 && (
        <div className={classes.degraded}>
          <IconAlertTriangle size={14} aria-hidden /> Degraded: some messages do not fit the budget
          <ul>
            {context.elided.slice(0, maxGaps).map((gap) => (
              <li key={gap.from_seq}>{sayElided(gap)}</li>
            ))}
            {context.elided.length > maxGaps && <li>and {count(context.elided.length - maxGaps)} more</li>}
          </ul>
        </div>
      )}
      {context.dropped.length > 0 && (
        <p className={classes.fine}>
          The format cannot express {plural(context.dropped.length, 'part')}:{' '}
          {[...new Set(context.dropped.map(({ what }) => what))].slice(0, 8).join(', ')}
        </p>
      )}
      <p className={`mono ${classes.fine}`} title="Changes exactly when what a model would be sent changes">
        fingerprint {context.fingerprint.slice(0, 16)}
      </p>
    </aside>
  );
}
