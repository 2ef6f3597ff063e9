import { SpillwayError } from '@spillway/engine';
import type { ThreadRow } from '@spillway/store';
import type { ReadAppend } from './appended.js';

/** Throws `last_seq_changed` when the newest message is not the one that the caller expects. */
export function refuseOtherLastSeq(
  { ifLastSeq }: Pick<ReadAppend, 'ifLastSeq'>,
  thread: ThreadRow | undefined,
): void {
  const lastSeq = thread?.headSeq ?? 0;
  if (ifLastSeq === undefined || ifLastSeq === lastSeq) return;
  throw new SpillwayError(
    'last_seq_changed',
    `The newest message is ${lastSeq}, not ${ifLastSeq}. Nothing was recorded. Read what is new, then post again.`,
  );
}
