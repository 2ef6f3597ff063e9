import type { ThreadRecord } from './rows.js';

/** The time from which a thread that is due now waits. One that stops being parked waits from now on. */
export const dueSince = (t: ThreadRecord, now: number, unparks = t.parkReason !== null): number =>
  unparks ? now : (t.requestedAt ?? now);
