import type { Schemas } from '@spillway/client';

type Compaction = Schemas['ThreadCompaction'];

/** What the console calls the state of a thread: one whose summary waits for an approval is not a worker's to take. */
export type ShownState = Compaction['state'] | 'proposed';

export const shownState = ({ state, prepared }: Pick<Compaction, 'state' | 'prepared'>): ShownState =>
  state === 'due' && prepared?.state === 'proposed' ? 'proposed' : state;

/** The words of the tabs of the jobs page. */
export const stateNames: Record<ShownState, string> = {
  idle: 'idle',
  due: 'due',
  running: 'running',
  backoff: 'retrying',
  proposed: 'to approve',
  parked: 'parked',
};
