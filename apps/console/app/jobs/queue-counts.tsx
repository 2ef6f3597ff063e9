import type { Schemas } from '@spillway/client';
import { needsPerson } from '@/app/attempts/reason-words';
import { count, duration } from '@/ui/quantity';
import classes from './jobs.module.css';

interface Props {
  queue: Pick<Schemas['Queue'], 'counts' | 'oldest_due_ms' | 'paused_at' | 'parked_by_reason'>;
}

export function QueueCounts({
  queue: { counts, oldest_due_ms: oldestDueMs, paused_at: pausedAt, parked_by_reason: reasons },
}: Props) {
  const act = reasons
    .filter(({ reason }) => needsPerson(reason))
    .reduce((all, { count: threads }) => all + threads, 0);
  return (
    <dl className={classes.counts}>
      <Count
        name="Due"
        value={counts.due}
        note={dueNote(oldestDueMs, pausedAt)}
        bad={pausedAt !== null || isLate(oldestDueMs)}
      />
      <Count name="Running" value={counts.running} note="held by a worker" />
      <Count name="Retrying" value={counts.backoff} note="waiting for the next try" />
      <Count name="Parked" value={counts.parked} note={parkedNote(counts.parked, act)} bad={act > 0} />
    </dl>
  );
}

/** A worker claims a due thread within seconds. */
export const isLate = (oldestDueMs: number | null): boolean => oldestDueMs !== null && oldestDueMs > 60_000;

function dueNote(oldestDueMs: number | null, pausedAt: string | null): string {
  if (pausedAt !== null) return 'compaction paused';
  return oldestDueMs === null ? 'queue empty' : `oldest ${duration(oldestDueMs)}`;
}

function parkedNote(parked: number, act: number): string {
  if (parked === 0) return 'none';
  if (act === 0) return 'go on once they have grown';
  return act === parked ? 'needs action' : `${count(act)} need${act === 1 ? 's' : ''} action`;
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
