'use client';

import { AreaChart } from '@mantine/charts';
import type { Schemas } from '@spillway/client';
import { count, percent, short } from '@/ui/quantity';
import { ChartPanel } from './chart-panel';
import type { ChartRow } from './chart-row';
import { evenTicks } from './even-ticks';

interface Props {
  rows: ChartRow[];
  totals: Schemas['UsageTotals'];
}

/** Full histories against what was sent: the area in between was saved. */
export function SentChart({ rows, totals }: Props) {
  const { tokens_full: full, tokens_sent: sent, contexts_over_window: over } = totals;
  return (
    <ChartPanel
      title="Tokens sent to models"
      says={
        <>
          {count(totals.contexts)} contexts took <b className="num">{short(sent)}</b> tokens; the full
          histories would have taken <b className="num">{short(full)}</b>
          {full > 0 && <> ({percent((full - sent) / full)} saved)</>}.
          {over > 0 && <> {count(over)} of them would no longer fit their window.</>}
        </>
      }
      rows={rows}
      columns={[
        { name: 'Contexts', value: (row) => count(row.contexts) },
        { name: 'Sent', value: (row) => count(row.tokens_sent) },
        { name: 'Full history', value: (row) => count(row.tokens_full) },
        { name: 'Saved', value: (row) => count(row.tokens_saved) },
        { name: 'Recorded', value: (row) => count(row.tokens_recorded) },
      ]}
      empty={totals.contexts === 0 ? 'No context was served in this time.' : null}
    >
      <AreaChart
        h={220}
        data={rows}
        dataKey="name"
        series={[
          { name: 'tokens_full', label: 'Full history', color: 'var(--ink-3)', strokeDasharray: '4 3' },
          { name: 'tokens_sent', label: 'Sent', color: 'var(--accent)' },
        ]}
        curveType="monotone"
        withLegend
        withDots={false}
        fillOpacity={0.16}
        strokeWidth={1.75}
        valueFormatter={short}
        xAxisProps={evenTicks}
        yAxisProps={{ width: 46 }}
        accessibilityLayer={false}
      />
    </ChartPanel>
  );
}
