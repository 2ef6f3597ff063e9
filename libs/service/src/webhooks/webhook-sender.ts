import { done, skipped, type Outcome } from '@spillway/jobs';
import { asProject, asService, busyWebhooks, type BusyWebhook } from '@spillway/store';
import type { Runtime } from '../runtime.js';
import { deliverWebhook } from './deliver-webhook.js';

/** Webhooks that are served at a time by one process. */
const maxConcurrent = 64;

export interface WebhookSender {
  /** Starts to serve the webhooks that have something to send, and does not wait for their receivers. */
  look(): Promise<Outcome>;
  /** Resolves when none is being served. */
  idle(): Promise<void>;
}

/**
 * Serves each webhook by itself, so that a receiver that is dead or slow holds up its own deliveries and no others.
 * What is due is in Postgres: several processes may look at the same time, and one that dies leaves nothing undone.
 */
export function webhookSender(rt: Runtime): WebhookSender {
  const serving = new Map<string, Promise<void>>();

  function serve(webhook: BusyWebhook): void {
    const run = asProject(webhook.projectId, 'service', () => deliverWebhook(rt, webhook))
      .catch((error: unknown) => rt.log.warn({ err: error, webhook: webhook.id }, 'a webhook was not served'))
      .finally(() => serving.delete(webhook.id));
    serving.set(webhook.id, run);
  }

  return {
    async look() {
      if (rt.draining.aborted) return skipped('shutting_down');
      const busy = await asService(() => busyWebhooks(rt.store.query));
      const free = busy.filter(({ id }) => !serving.has(id)).slice(0, maxConcurrent - serving.size);
      free.forEach(serve);
      return done({ begun: free.length });
    },
    idle: async () => {
      await Promise.all(serving.values());
    },
  };
}
