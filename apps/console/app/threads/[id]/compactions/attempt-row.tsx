import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconLoader,
  type Icon,
} from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { count, duration } from '@/ui/quantity';
import { QueryLink } from '@/ui/query-link';
import table from '@/ui/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import classes from './attempt.module.css';

type Attempt = Schemas['CompactionAttempt'];

const shapes: Record<string, { icon: Icon; tone: string }> = {
  compacted: { icon: IconCircleCheck, tone: 'good' },
  failed: { icon: IconAlertTriangle, tone: 'warn' },
  parked: { icon: IconAlertOctagon, tone: 'bad' },
};

export function AttemptRow({ attempt }: { attempt: Attempt }) {
  const { tokens_before: before, tokens_after: after, generation } = attempt;
  return (
    <tr>
      <td>
        <Outcome attempt={attempt} />
      </td>
      <td className="dim">
        <TimeAgo at={attempt.started_at} />
      </td>
      <td className="dim">{attempt.trigger}</td>
      <td className="num">
        {attempt.from_seq !== null && attempt.to_seq !== null ? (
          <>
            {count(attempt.from_seq)}–{count(attempt.to_seq)}{' '}
            {generation !== null && (
              <QueryLink changes={{ tab: 'summaries', generation: String(generation) }} className="inline">
                g{generation}
              </QueryLink>
            )}
          </>
        ) : (
          <span className="dim">—</span>
        )}
      </td>
      <td className="dim">{[attempt.method, attempt.model].filter(Boolean).join(', ') || '—'}</td>
      <td className={`num ${table.right}`}>
        {before !== null && after !== null ? (
          `${count(before)} → ${count(after)}`
        ) : (
          <span className="dim">—</span>
        )}
      </td>
      <td className={`num ${table.right}`}>
        {attempt.duration_ms === null ? <span className="dim">—</span> : duration(attempt.duration_ms)}
      </td>
      <td className={`${table.wrapping} ${classes.error}`}>{attempt.error}</td>
    </tr>
  );
}

function Outcome({ attempt }: { attempt: Attempt }) {
  const running = attempt.outcome === null;
  const { icon: Shape, tone } = shapes[attempt.outcome ?? ''] ?? {
    icon: running ? IconLoader : IconCircleMinus,
    tone: running ? 'busy' : 'quiet',
  };
  return (
    <span className={classes.outcome} data-tone={tone}>
      <Shape size={14} aria-hidden />
      {(attempt.outcome ?? 'running').replaceAll('_', ' ')}
      {attempt.reason && <span className="dim">{attempt.reason.replaceAll('_', ' ')}</span>}
    </span>
  );
}
