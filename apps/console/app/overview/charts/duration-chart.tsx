'use client';

import { LineChart } from '@mantine/charts';
import type { Schemas } from '@spillway/client';
import { duration } from '@/ui/quantity';
import { ChartPanel } from './chart-panel';
import type { ChartRow } from './chart-row';
import { evenTicks } from './even-ticks';

interface Props {
  rows: ChartRow[];
  totals: Schemas['UsageTotals'];
}

const durationText = (ms: number | null): string => (ms === null ? '—' : duration(ms));

/** Duration of compactions, from the claim to the commit. */
export function DurationChart({ rows, totals }: Props) {
  const { median_ms: median, longest_ms: longest } = totals.compactions;
  return (
    <ChartPanel
      title="How long compactions take"
      says={
        median === null
          ? 'From the claim to the active summary.'
          : `Half of them within ${duration(median)}; the longest ${durationText(longest)}. No request waits for them.`
      }
      rows={rows}
      columns={[
        { name: 'Median', value: (row) => durationText(row.compactions.median_ms) },
        { name: 'Longest', value: (row) => durationText(row.compactions.longest_ms) },
      ]}
      empty={median === null ? 'No thread was compacted in this time.' : null}
    >
      <LineChart
        h={180}
        data={rows.map(({ name, compactions }) => ({
          name,
          median: compactions.median_ms,
          longest: compactions.longest_ms,
        }))}
        dataKey="name"
        series={[
          { name: 'longest', label: 'Longest', color: 'var(--ink-3)', strokeDasharray: '4 3' },
          { name: 'median', label: 'Median', color: 'var(--accent)' },
        ]}
        curveType="monotone"
        connectNulls
        withLegend
        dotProps={{ r: 2.5 }}
        strokeWidth={1.75}
        valueFormatter={duration}
        xAxisProps={evenTicks}
        yAxisProps={{ width: 52 }}
        accessibilityLayer={false}
      />
    </ChartPanel>
  );
}
