import type { Handlers, JobName } from '@spillway/jobs';
import type { FairCompactor, Runtime } from '@spillway/service';

/** Shows what this worker compacts, and when it last began to: a worker can be alive and take no work. */
export function showCompactor(
  { metrics }: Pick<Runtime, 'metrics'>,
  compactor: Pick<FairCompactor, 'running' | 'begunAt'>,
): void {
  metrics.beforeScrape(() => {
    metrics.set('spillway_compactions_running', {}, compactor.running());
    const begunAt = (performance.timeOrigin + compactor.begunAt()) / 1_000;
    metrics.set('spillway_compaction_last_begun_timestamp_seconds', {}, begunAt);
  });
}

/** The same handlers; each job is counted by how it ended, with its duration. */
export function timedHandlers({ metrics }: Pick<Runtime, 'metrics'>, handlers: Handlers): Handlers {
  const timed = Object.entries(handlers).map(([name, handle]) => [
    name,
    timedHandler(name as JobName, handle),
  ]);
  return Object.fromEntries(timed) as Handlers;

  function timedHandler(queue: JobName, handle: Handlers[JobName]): Handlers[JobName] {
    return async (...job: Parameters<typeof handle>) => {
      const started = performance.now();
      let outcome = 'error';
      try {
        const ended = await (handle as (...job: unknown[]) => ReturnType<typeof handle>)(...job);
        outcome = ended.kind;
        return ended;
      } finally {
        const seconds = (performance.now() - started) / 1_000;
        metrics.observe('spillway_job_duration_seconds', { queue, outcome }, seconds);
      }
    };
  }
}
