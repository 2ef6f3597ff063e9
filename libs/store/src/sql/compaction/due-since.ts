/**
 * The time from which a thread `t` that is due now waits. One that stops being parked waits from now on: a worker could
 * not have compacted it before. `unparks` is the SQL condition on which it stops being parked.
 */
export const dueSince = (t: string, unparks = `${t}.park_reason IS NOT NULL`): string =>
  `CASE WHEN ${unparks} THEN now() ELSE coalesce(${t}.requested_at, now()) END`;
