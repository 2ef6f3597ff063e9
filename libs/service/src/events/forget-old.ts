import { forgetDeliveries, forgetEvents } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** How long events are kept to go on after, and deliveries to look at. */
const keepMs = 7 * 24 * 3_600_000;

/** Removes events and ended deliveries that nobody will ask for any more. Part of the sweep of a project. */
export async function forgetOld(rt: Runtime, projectId: string): Promise<void> {
  while ((await forgetEvents(rt.store.query, projectId, keepMs)) > 0 && !rt.draining.aborted);
  await forgetDeliveries(rt.store.query, projectId, keepMs);
}
