/**
 * Returns a function that says whether the schedule of a repeated job has stopped. BullMQ sets the next run by the clock
 * of the worker that began the last one. When that clock was ahead, no other worker begins a job until the time has
 * come. While such a worker runs, it moves the schedule on, so a schedule has stopped only when it also did not change
 * for two intervals.
 */
export function stoppedSchedules() {
  const seen = new Map<string, { next: number | undefined; since: number }>();
  return (name: string, next: number | undefined, everyMs: number): boolean => {
    const now = performance.now();
    const last = seen.get(name);
    if (last?.next !== next || last === undefined) {
      seen.set(name, { next, since: now });
      return false;
    }
    return next !== undefined && next > Date.now() + 2 * everyMs && now - last.since > 2 * everyMs;
  };
}
