'use client';

import type { Schemas } from '@spillway/client';
import { bucketName, type Range } from '../range';
import classes from './chart.module.css';
import type { ChartRow } from './chart-row';
import { CompactionChart } from './compaction-chart';
import { DurationChart } from './duration-chart';
import { SentChart } from './sent-chart';

/** The range, bucket by bucket. */
export function Charts({ usage, range }: { usage: Schemas['Usage']; range: Range }) {
  const rows: ChartRow[] = usage.series.map((bucket) => ({
    ...bucket,
    name: bucketName(bucket.at, usage.bucket),
  }));
  return (
    <div className={classes.charts} key={range}>
      <SentChart rows={rows} totals={usage.totals} />
      <CompactionChart rows={rows} totals={usage.totals} />
      <DurationChart rows={rows} totals={usage.totals} />
    </div>
  );
}
