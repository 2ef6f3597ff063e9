import type { Schemas } from '@spillway/client';
import { count, duration } from '@/ui/quantity';
import classes from './jobs.module.css';

interface Props {
  counts: Schemas['Queue']['counts'];
  oldestDueMs: number | null;
}

export function QueueCounts({ counts, oldestDueMs }: Props) {
  return (
    <dl className={classes.counts}>
      <Count
        name="Due"
        value={counts.due}
        note={oldestDueMs === null ? 'queue empty' : `oldest ${duration(oldestDueMs)}`}
      />
      <Count name="Running" value={counts.running} note="held by a worker" />
      <Count name="Retrying" value={counts.backoff} note="waiting for the next try" />
      <Count
        name="Parked"
        value={counts.parked}
        note={counts.parked === 0 ? 'none' : 'needs action'}
        bad={counts.parked > 0}
      />
    </dl>
  );
}

const Count = ({
  name,
  value,
  note,
  bad = false,
}: {
  name: string;
  value: number;
  note: string;
  bad?: boolean;
}) => (
  <div className={classes.count} data-bad={bad}>
    <dt>{name}</dt>
    <dd className="num">{count(value)}</dd>
    <dd className={classes.note}>{note}</dd>
  </div>
);
