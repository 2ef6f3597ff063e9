/** Where a test can crash a process, to prove that nothing is lost. */
export type CrashPoint =
  | 'append.before_commit'
  | 'append.committed'
  | 'pin.written'
  | 'rewind.before_commit'
  | 'rewind.committed'
  | 'erasure.committed'
  | 'fork.before_commit'
  | 'fork.committed'
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
  | 'sweep.removed'
  | 'project.threads_erased';

/** Set in tests only. Other processes have no crash points. */
const here = process.env.NODE_ENV === 'test' ? process.env.SPILLWAY_CRASH_AT : undefined;

/** Kills the process without cleanup when a test asked for it. */
export function reached(point: CrashPoint): void {
  if (point === here) process.kill(process.pid, 'SIGKILL');
}
