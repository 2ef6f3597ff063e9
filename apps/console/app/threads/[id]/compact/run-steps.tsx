'use client';

import { ActionIcon } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconLoader, IconX } from '@tabler/icons-react';
import { QueryLink } from '@/ui/lists/query-link';
import classes from './run.module.css';
import type { CompactionRun } from './use-compaction-run';
import { toGeneration } from '../summaries/to-generation';

const doing = {
  compact: 'Compacting',
  rebuild: 'Rebuilding from the original messages and what a caller wrote',
  quarantine: 'Withdrawn; a new summary is made where one is needed',
};

const waitsFor = ({ state, isPaused }: CompactionRun): string =>
  state === 'running'
    ? 'running'
    : isPaused
      ? 'queued until the operator ends the pause of compaction'
      : 'queued';

/** The progress of a request: queued, running, and its outcome. */
export function RunSteps({ run, onFollow }: { run: CompactionRun; onFollow?: () => void }) {
  if (run.kind === null) return null;
  const { end } = run;
  const Mark = !end ? IconLoader : end.good ? IconCircleCheck : IconAlertTriangle;
  return (
    <div className={classes.run} data-tone={!end ? 'busy' : end.good ? 'good' : 'warn'}>
      <Mark size={15} aria-hidden className={classes.mark} />
      <p role="status">{end ? end.text : `${doing[run.kind]}: ${waitsFor(run)} …`}</p>
      {end?.generation != null && (
        <QueryLink onFollow={onFollow} changes={toGeneration(end.generation)} className="inline">
          Show generation {end.generation}
        </QueryLink>
      )}
      {end && (
        <ActionIcon size="sm" aria-label="Put this message away" onClick={run.putAway}>
          <IconX size={14} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}
