'use client';

import type { Schemas } from '@spillway/client';
import { count, percent, plural } from '@/ui/quantity';
import table from '@/ui/lists/table.module.css';
import classes from '../../settings.module.css';
import { CompactionList } from './compaction-list';
import { FillChart } from './fill-chart';
import own from '../policy.module.css';

type Simulation = Schemas['PolicySimulation'];
type Run = Schemas['SimulatedRun'];

export function DryRunResult({ result, stale }: { result: Simulation; stale: boolean }) {
  const { draft, current, messages, replayed, not_simulated, assumptions } = result;
  return (
    <div data-stale={stale} className={own.result}>
      <p className={own.verdict} role="status" data-testid="verdict">
        {sentence(result)}
      </p>
      {replayed < messages && (
        <p className={own.caution}>
          Only the first {count(replayed)} of {count(messages)} messages were replayed.
        </p>
      )}
      {not_simulated.length > 0 && (
        <p className={own.caution}>
          The draft also changes {not_simulated.join(', ')}, which a replay of sizes does not cover.
        </p>
      )}
      <FillChart current={current} draft={draft} />
      <Sums current={current} draft={draft} />
      <h3 className={classes.heading}>Compactions</h3>
      <div className={own.pair}>
        <CompactionList name="Draft" run={draft} />
        <CompactionList name="Current" run={current} />
      </div>
      <p className={own.fine}>{assumptions.join(' ')}</p>
    </div>
  );
}

/** The effect of the draft in words. */
function sentence({ draft, sent_ratio }: Simulation): string {
  const seqs = draft.compactions.map(({ at_seq }) => count(at_seq));
  const shown = seqs.slice(0, 6).join(', ') + (seqs.length > 6 ? ', …' : '');
  const when =
    seqs.length === 0
      ? 'would not have compacted'
      : `would have compacted at ${shown} (${times(seqs.length)})`;
  const sent =
    sent_ratio === null
      ? 'with nothing sent to compare'
      : sent_ratio === 1
        ? 'with as many tokens sent'
        : `${percent(Math.abs(1 - sent_ratio))} ${sent_ratio < 1 ? 'fewer' : 'more'} tokens sent`;
  return `With this policy, this thread ${when}, ${sent}.`;
}

const times = (n: number): string => (n === 1 ? 'once' : n === 2 ? 'twice' : `${count(n)} times`);

const rows: [string, (run: Run) => string][] = [
  ['Trigger', ({ budget }) => count(budget.trigger)],
  ['Compactions', ({ compactions }) => count(compactions.length)],
  ['Most tokens live', (run) => `${count(run.peak_tokens)} (${percent(run.peak_fill)} of the window)`],
  ['Tokens sent in all', ({ tokens_sent }) => count(tokens_sent)],
  ['Contexts read', ({ contexts }) => count(contexts)],
  ['Contexts that left messages out', ({ over_limit }) => count(over_limit)],
  ['Due with nothing to compact', ({ stuck }) => (stuck === 0 ? 'never' : plural(stuck, 'time'))],
];

function Sums({ current, draft }: { current: Run; draft: Run }) {
  return (
    <div className={classes.sideways} tabIndex={0} role="group" aria-label="Draft and current in numbers">
      <table className={`${table.table} ${own.sums}`}>
        <thead>
          <tr>
            <th>In numbers</th>
            <th className={table.right}>Draft</th>
            <th className={table.right}>Current</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, show]) => (
            <tr key={name}>
              <td>{name}</td>
              <td className={`num ${table.right}`}>{show(draft)}</td>
              <td className={`num ${table.right}`}>{show(current)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
