'use client';

import { Tooltip } from '@mantine/core';
import classes from './live.module.css';

/** How often a view asks again. TanStack Query pauses by itself while the tab is hidden. */
export const liveMs = 4_000;

/** Says whether what is shown is kept up to date. */
export function Live({ failing }: { failing: boolean }) {
  const label = failing
    ? 'The last refresh failed; trying again'
    : `Refreshes every ${liveMs / 1000} seconds`;
  return (
    <Tooltip label={label}>
      <span className={classes.live} data-failing={failing} role="status">
        <span className={classes.dot} aria-hidden />
        {failing ? 'Reconnecting' : 'Live'}
      </span>
    </Tooltip>
  );
}
