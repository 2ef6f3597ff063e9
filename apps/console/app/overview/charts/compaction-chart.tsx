'use client';

import { BarChart } from '@mantine/charts';
import type { Schemas } from '@spillway/client';
import { reasonWords } from '@/app/attempts/reason-words';
import { count } from '@/ui/quantity';
import { ChartPanel } from './chart-panel';
import type { ChartRow } from './chart-row';
import { evenTicks } from './even-ticks';

interface Props {
  rows: ChartRow[];
  totals: Schemas['UsageTotals'];
  title?: string;
  height?: number;
}

/** Successful compactions, with unsuccessful ones stacked above them. */
export function CompactionChart({ rows, totals, title = 'Compactions', height = 180 }: Props) {
  const { ok, failed, failed_by_reason: reasons } = totals.compactions;
  const why = Object.entries(reasons).map(([reason, n]) => `${reasonWords(reason).name} (${count(n)})`);
  return (
    <ChartPanel
      title={title}
      says={
        <>
          {count(ok)} succeeded, {count(failed)} failed{why.length > 0 && `: ${why.join(', ')}`}.
        </>
      }
      rows={rows}
      columns={[
        { name: 'Succeeded', value: (row) => count(row.compactions.ok) },
        { name: 'Failed', value: (row) => count(row.compactions.failed) },
        { name: 'Other', value: (row) => count(row.compactions.other) },
      ]}
      empty={ok + failed === 0 ? 'No thread was compacted in this time.' : null}
    >
      <BarChart
        h={height}
        type="stacked"
        data={rows.map(({ name, compactions }) => ({ name, ok: compactions.ok, failed: compactions.failed }))}
        dataKey="name"
        series={[
          { name: 'ok', label: 'Succeeded', color: 'var(--accent)' },
          { name: 'failed', label: 'Failed', color: 'var(--bad)' },
        ]}
        barProps={({ name }) =>
          name === 'failed'
            ? { fillOpacity: 0.2, stroke: 'var(--bad)', strokeOpacity: 1, strokeWidth: 1.5 }
            : {}
        }
        maxBarWidth={26}
        withLegend
        valueFormatter={count}
        xAxisProps={evenTicks}
        yAxisProps={{ width: 46, allowDecimals: false, tickCount: Math.floor(height / 45) }}
        accessibilityLayer={false}
      />
    </ChartPanel>
  );
}
