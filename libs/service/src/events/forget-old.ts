import { forgetDeliveries, forgetEvents, forgetThreadTokens } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** How long events are kept for readers that resume, and deliveries for display. */
const keepMs = 7 * 24 * 3_600_000;

/** How long ended thread tokens are kept: so long the audit log names their keys. */
const keepTokensMs = 30 * 24 * 3_600_000;

/** Removes old events, finished deliveries and ended thread tokens. Part of the sweep of a project. */
export async function forgetOld(rt: Runtime, projectId: string): Promise<void> {
  for (const forget of [forgetEvents, forgetDeliveries])
    while ((await forget(rt.store.query, projectId, keepMs)) > 0 && !rt.draining.aborted);
  await forgetThreadTokens(rt.store.query, projectId, keepTokensMs);
}
