import type { ModelHealth } from '@spillway/service';

const time = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The state of the summary model in API form. */
export const modelHealthView = (health: ModelHealth) => ({
  state: health.state,
  failing_since: health.state === 'failing' ? time(health.failingSince) : null,
  failures: health.failures,
  last_error: health.lastError,
  last_failure_at: time(health.lastFailureAt),
  last_ok_at: time(health.lastOkAt),
  next_try_at: health.state === 'failing' ? time(health.nextTryAt) : null,
  waiting: health.waiting,
});
