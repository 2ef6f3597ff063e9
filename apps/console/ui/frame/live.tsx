'use client';

import { Tooltip } from '@mantine/core';
import { liveMs } from '../live/live-ms';
import { useLiveState } from '../live/live-provider';
import classes from './live.module.css';

const says = {
  connecting: { word: 'Connecting', more: 'Connecting to the event stream' },
  live: { word: 'Live', more: 'Shows changes live' },
  polling: { word: 'Polling', more: `No event stream; refreshes every ${liveMs / 1000} seconds` },
  paused: { word: 'Paused', more: 'Paused until this tab is visible' },
  failing: { word: 'Reconnecting', more: 'The last refresh failed. Retrying' },
};

/** Whether the view is live, and how. */
export function Live({ failing = false }: { failing?: boolean }) {
  const state = useLiveState();
  const shown = failing ? 'failing' : state;
  const { word, more } = says[shown];
  return (
    <Tooltip label={more}>
      <span className={classes.live} data-state={shown} role="status">
        <span className={classes.dot} aria-hidden />
        {word}
      </span>
    </Tooltip>
  );
}
