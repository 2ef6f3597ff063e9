'use client';

import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import type { Schemas } from '@spillway/client';
import { count, plural, short } from '@/ui/quantity';
import own from '../policy.module.css';

type Run = Schemas['SimulatedRun'];

/** More marks than this are unreadable. */
const maxMarks = 40;

/** Live tokens over the thread, under both policies, with a mark where the draft would have compacted. */
export function FillChart({ current, draft }: { current: Run; draft: Run }) {
  if (draft.fill.length === 0) return <p className="dim">The thread has no messages yet.</p>;
  const now = new Map(current.fill.map(({ seq, tokens }) => [seq, tokens]));
  const data = draft.fill.map(({ seq, tokens }) => ({ seq, Draft: tokens, Current: now.get(seq) ?? null }));
  const marks = draft.compactions.length <= maxMarks ? draft.compactions : [];
  const points = new Set(data.map(({ seq }) => seq));
  return (
    <figure
      className={own.chart}
      role="img"
      aria-label={`Live tokens over ${plural(draft.fill.at(-1)!.seq, 'message')}: at most ${count(draft.peak_tokens)} under the draft, ${count(current.peak_tokens)} under the current policy. The tables below have the numbers.`}
    >
      <LineChart
        h={260}
        data={data}
        dataKey="seq"
        curveType="linear"
        withDots={false}
        withLegend
        strokeWidth={1.6}
        gridAxis="x"
        tickLine="none"
        valueFormatter={count}
        series={[
          { name: 'Current', color: 'var(--part-system)', strokeDasharray: '4 3' },
          { name: 'Draft', color: 'var(--accent)' },
        ]}
        yAxisProps={{ tickFormatter: short, width: 46 }}
        xAxisProps={{ minTickGap: 40, tickFormatter: count }}
        lineChartProps={{ accessibilityLayer: false, margin: { top: 18, right: 12 } }}
        lineProps={{ isAnimationActive: false }}
        referenceLines={[
          {
            y: draft.budget.trigger,
            label: `draft trigger ${short(draft.budget.trigger)}`,
            color: 'var(--warn)',
          },
          ...marks.map(({ at_seq }) => ({
            x: nearest(points, at_seq),
            color: 'var(--part-summary)',
            strokeDasharray: '2 3',
          })),
        ]}
      />
      <figcaption className={own.fine}>
        Live tokens by message. Dotted vertical lines: compactions under the draft
        {marks.length < draft.compactions.length ? ', left out here because there are too many' : ''}.
      </figcaption>
    </figure>
  );
}

/** The chart has a point per range of seqs, named by its last one: the point that contains a seq. */
function nearest(points: ReadonlySet<number>, seq: number): number {
  for (let at = seq; ; at++) if (points.has(at) || at > seq + 1_000) return at;
}
