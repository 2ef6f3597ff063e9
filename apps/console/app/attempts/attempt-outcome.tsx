import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconLoader,
  type Icon,
} from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import classes from './attempt-outcome.module.css';
import { reasonWords } from './reason-words';

const shapes: Record<string, { icon: Icon; tone: string }> = {
  compacted: { icon: IconCircleCheck, tone: 'good' },
  failed: { icon: IconAlertTriangle, tone: 'warn' },
  lost: { icon: IconAlertTriangle, tone: 'warn' },
  parked: { icon: IconAlertOctagon, tone: 'bad' },
  running: { icon: IconLoader, tone: 'busy' },
};

/** The outcome of an attempt and its reason, by shape, colour and text. */
export function AttemptOutcome({ attempt }: { attempt: Schemas['CompactionAttempt'] }) {
  const outcome = attempt.outcome ?? 'running';
  const { icon: Shape, tone } = shapes[outcome] ?? { icon: IconCircleMinus, tone: 'quiet' };
  return (
    <span className={classes.outcome} data-tone={tone}>
      <Shape size={14} aria-hidden />
      {outcome === 'lost_cas' ? 'overtaken' : outcome.replaceAll('_', ' ')}
      {attempt.reason && (
        <span className="dim" title={reasonWords(attempt.reason).why}>
          {attempt.generation === null ? '' : 'by code: '}
          {reasonWords(attempt.reason).name}
        </span>
      )}
    </span>
  );
}
