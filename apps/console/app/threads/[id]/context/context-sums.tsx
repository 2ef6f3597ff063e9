import type { Schemas } from '@spillway/client';
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { count, percent, plural } from '@/ui/quantity';
import { partKinds, partOrder, tokensByKind } from '../context-parts';
import { Gauge } from '../gauge';
import classes from './context.module.css';
import { KindChip } from './kind-chip';

interface Props {
  context: Schemas['Context'];
  at: number | null;
}

/** The sum of a context, part by part. */
export function ContextSums({ context, at }: Props) {
  const sums = tokensByKind(context);
  const clipboard = useClipboard({ timeout: 1500 });
  const { summary, budget, tokens } = context;
  return (
    <aside className={classes.sums} aria-label="Sums">
      <h2 className={classes.sumsTitle}>{at === null ? 'As of now' : `As of message ${count(at)}`}</h2>
      {at !== null && <Gauge context={context} />}
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
        {summary
          ? `Summary generation ${summary.generation} (${summary.method}) stands for messages 1–${count(summary.to_seq)}.`
          : 'No summary yet: every message is sent.'}{' '}
        Limit {count(budget.limit)}, compaction from {count(budget.trigger)} tokens.
      </p>
      {context.degraded && (
        <p className={classes.degraded}>
          <IconAlertTriangle size={14} aria-hidden /> Shortened to stay within the budget:{' '}
          {context.elided
            .map(
              (gap) =>
                `${gap.from_seq}–${gap.to_seq} ${gap.reason === 'shortened' ? 'shortened' : 'left out'}`,
            )
            .join(', ')}
        </p>
      )}
      <Button
        variant="default"
        leftSection={
          clipboard.copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
        }
        onClick={() => clipboard.copy(JSON.stringify(context.messages, null, 2))}
      >
        {clipboard.copied ? 'Copied' : `Copy ${plural(context.messages.length, 'message')} as JSON`}
      </Button>
      <p className={`mono ${classes.fine}`} title="Changes exactly when what a model would be sent changes">
        fingerprint {context.fingerprint.slice(0, 16)}
      </p>
    </aside>
  );
}
