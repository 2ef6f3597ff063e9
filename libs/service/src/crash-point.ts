/** Where a process can be made to die, to prove that nothing is lost there. */
export type CrashPoint =
  | 'append.before_commit'
  | 'append.committed'
  | 'output.staged'
  | 'output.temporary'
  | 'output.synced'
  | 'output.renamed'
  | 'output.written'
  | 'compaction.claimed'
  | 'compaction.read'
  | 'compaction.called'
  | 'compaction.committed'
  | 'sweep.marked'
  | 'sweep.removed';

/** Set in tests alone: a process that runs as anything else has no such points. */
const here = process.env.NODE_ENV === 'test' ? process.env.SPILLWAY_CRASH_AT : undefined;

/** Dies here, without a chance to clean up, when a test asked for it. */
export function reached(point: CrashPoint): void {
  if (point === here) process.kill(process.pid, 'SIGKILL');
}
