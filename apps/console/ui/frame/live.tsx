'use client';

import { Tooltip } from '@mantine/core';
import { useLiveState } from '../live/live-provider';
import classes from './live.module.css';

/** How often a view asks again while no events come. TanStack Query pauses by itself while the tab is hidden. */
export const liveMs = 4_000;

const says = {
  connecting: { word: 'Connecting', more: 'Opening the stream of events' },
  live: { word: 'Live', more: 'Shows what happens as it happens' },
  polling: { word: 'Polling', more: `No stream of events; asks again every ${liveMs / 1000} seconds` },
  paused: { word: 'Paused', more: 'Goes on when this tab is looked at' },
  failing: { word: 'Reconnecting', more: 'The last refresh failed; trying again' },
};

/** Says whether what is shown is kept up to date, and how. */
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
