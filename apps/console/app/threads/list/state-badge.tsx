import {
  IconAlertOctagon,
  IconCircleCheck,
  IconClockHour4,
  IconHourglassLow,
  IconLoader,
  IconUserQuestion,
  type Icon,
} from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { needsPerson, reasonWords } from '@/app/attempts/reason-words';
import { shownState, stateNames, type ShownState } from './shown-state';
import classes from './state-badge.module.css';

type Compaction = Schemas['ThreadCompaction'];

const icons: Record<ShownState, Icon> = {
  idle: IconCircleCheck,
  due: IconClockHour4,
  running: IconLoader,
  backoff: IconHourglassLow,
  proposed: IconUserQuestion,
  parked: IconAlertOctagon,
};

/** The state of a thread's compaction, by shape, colour and text. */
export function StateBadge({
  compaction,
  withReason = false,
}: {
  compaction: Compaction;
  withReason?: boolean;
}) {
  const shown = shownState(compaction);
  const Shape = icons[shown];
  return (
    <span
      className={classes.badge}
      data-state={shown === 'parked' && !needsPerson(compaction.reason) ? 'chosen' : shown}
    >
      <Shape size={13} stroke={2} aria-hidden className={classes.icon} />
      <span>{stateNames[shown]}</span>
      {withReason && compaction.reason && (
        <span className={classes.reason} title={reasonWords(compaction.reason).why}>
          {reasonWords(compaction.reason).name}
        </span>
      )}
    </span>
  );
}
