import '@mantine/charts/styles.css';
import type { Schemas } from '@spillway/client';
import { bucketName } from '@/app/overview/range';
import { CompactionChart } from '@/app/overview/charts/compaction-chart';
import { bytes, plural } from '@/ui/quantity';
import classes from './jobs.module.css';
import { QueueCounts } from './queue-counts';

interface Props {
  queue: Schemas['Queue'];
  usage: Schemas['Usage'];
}

/** The length and rate of the queue, and what the last sweeps freed. */
export function QueueStrip({ queue, usage }: Props) {
  const rows = usage.series.map((bucket) => ({ ...bucket, name: bucketName(bucket.at, usage.bucket) }));
  return (
    <div className={classes.strip}>
      <div className={classes.left}>
        <QueueCounts queue={queue} />
        <Swept sweeps={queue.sweeps} />
      </div>
      <CompactionChart rows={rows} totals={usage.totals} title="Throughput, 24 hours" height={165} />
    </div>
  );
}

function Swept({ sweeps }: { sweeps: Schemas['Queue']['sweeps'] }) {
  const sum = (of: (sweep: Schemas['Queue']['sweeps'][number]) => number): number =>
    sweeps.reduce((all, sweep) => all + of(sweep), 0);
  const refused = sweeps.find((sweep) => sweep.refused !== null);
  return (
    <p className={classes.swept}>
      {sweeps.length === 0
        ? 'Sweeps: nothing had to be deleted yet.'
        : `The last ${sweeps.length === 1 ? 'sweep' : plural(sweeps.length, 'sweep')} freed ${bytes(sum((s) => s.bytes_freed))}: ${plural(
            sum((s) => s.expired),
            'output',
          )} expired, ${sum((s) => s.over_budget)} over budget.`}
      {refused && <span className={classes.refused}> The storage was not swept: {refused.refused}</span>}
    </p>
  );
}
