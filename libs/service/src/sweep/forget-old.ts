import { forgetDeliveries, forgetThreadTokens, forgetUsageWriters, keepEvents } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** How long finished deliveries are kept for display. Events are kept as long, by the database. */
export const keepDeliveriesMs = 7 * 24 * 3_600_000;

/** How long ended thread tokens are kept: so long the audit log names their keys. */
export const keepTokensMs = 30 * 24 * 3_600_000;

/** How long a process that counts usage is known after its last write, which it repeats until it is answered. */
export const keepWritersMs = 7 * 24 * 3_600_000;

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

/** Removes finished deliveries, ended thread tokens and ended writers of usage. Part of the sweep of a project. */
export async function forgetOld(rt: Runtime, projectId: string): Promise<void> {
  while ((await forgetDeliveries(rt.store.query, projectId, keepDeliveriesMs)) > 0 && !rt.draining.aborted);
  await forgetThreadTokens(rt.store.query, projectId, keepTokensMs);
  await forgetUsageWriters(rt.store.query, projectId, keepWritersMs);
}
