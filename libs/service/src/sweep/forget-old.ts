import {
  forgetDeliveries,
  forgetKeyUsage,
  forgetSessions,
  forgetSweeps,
  forgetThreadTokens,
  forgetUsageWriters,
  keepEvents,
} from '@spillway/store';
import { sessionLimits } from '../access/authenticate.js';
import type { Runtime } from '../runtime.js';

/** How long finished deliveries are kept for display. Events are kept as long, by the database. */
export const keepDeliveriesMs = 7 * 24 * 3_600_000;

/** How long ended thread tokens are kept: so long the audit log names their keys. */
export const keepTokensMs = 30 * 24 * 3_600_000;

/**
 * How long a process that counts usage is known after its last write, which it repeats until it is answered, and what
 * keys took on a day is kept: only today's is asked for.
 */
export const keepWritersMs = 7 * 24 * 3_600_000;

/** How long sweeps are kept. The newest ones of a project are shown, and stay. */
export const keepSweepsMs = 7 * 24 * 3_600_000;

/** How long sessions are kept after their start, at least 90 days after their end: so long the audit log names their keys. */
export const keepSessionsMs = 90 * 24 * 3_600_000 + sessionLimits.maxMs;

/**
 * Removes the events of all projects that are older than seven days, and prepares the days to come. Part of the sweep,
 * which goes on without it when it fails.
 */
export async function forgetOldEvents(rt: Runtime): Promise<void> {
  try {
    for (let isDone = false; !isDone && !rt.draining.aborted;) {
      const { added, dropped, deleted } = await keepEvents(rt.store.query);
      if (added + dropped + deleted > 0) rt.log.info({ added, dropped, deleted }, 'events are kept by day');
      isDone = deleted === 0;
    }
  } catch (error) {
    rt.log.error({ err: error }, 'old events could not be removed');
  }
}

/**
 * Removes finished deliveries, ended tokens, sessions and writers of usage, old days of keys and old sweeps. Part of the
 * sweep of a project.
 */
export async function forgetOld(rt: Runtime, projectId: string): Promise<void> {
  const { query } = rt.store;
  while ((await forgetDeliveries(query, projectId, keepDeliveriesMs)) > 0 && !rt.draining.aborted);
  await forgetThreadTokens(query, projectId, keepTokensMs);
  await forgetUsageWriters(query, projectId, keepWritersMs);
  await forgetKeyUsage(query, projectId, keepWritersMs);
  while ((await forgetSweeps(query, projectId, keepSweepsMs)) > 0 && !rt.draining.aborted);
  while ((await forgetSessions(query, projectId, keepSessionsMs)) > 0 && !rt.draining.aborted);
}
