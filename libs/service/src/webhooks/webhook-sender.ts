import { asProject, asService, busyWebhooks, type BusyWebhook } from '@spillway/store';
import type { Runtime } from '../runtime.js';
import { deliverWebhook } from './deliver-webhook.js';

/** Maximum of webhooks that one process serves at a time. */
const maxConcurrent = 64;
/** Of these, the maximum whose last delivery failed: a dead receiver takes its whole timeout. */
const maxFailing = 32;

export interface WebhookSender {
  /** Starts to serve webhooks with pending deliveries, and does not wait for their receivers. */
  look(): Promise<void>;
  /** Resolves when none is being served. */
  idle(): Promise<void>;
}

/**
 * Serves each webhook separately, so that a dead or slow receiver delays only its own deliveries. What is due is in
 * Postgres: several processes may serve at the same time, and a crash loses nothing.
 */
export function webhookSender(rt: Runtime): WebhookSender {
  const serving = new Map<string, { failing: boolean; run: Promise<void> }>();
  /** Some webhooks that work found no place: turns end early. */
  let isCrowded = false;

  function serve(webhook: BusyWebhook): void {
    const run = asProject(webhook.projectId, 'service', () => deliverWebhook(rt, webhook, () => isCrowded))
      .catch((error: unknown) =>
        rt.log.warn({ err: error, webhook: webhook.id }, 'the deliveries of a webhook failed'),
      )
      .finally(() => serving.delete(webhook.id));
    serving.set(webhook.id, { failing: webhook.failing, run });
  }

  function hasPlace({ failing }: BusyWebhook): boolean {
    const failingNow = [...serving.values()].filter((one) => one.failing).length;
    return serving.size < maxConcurrent && !(failing && failingNow >= maxFailing);
  }

  return {
    async look() {
      if (rt.draining.aborted) return;
      const busy = await asService(() => busyWebhooks(rt.store.query));
      isCrowded = false;
      for (const webhook of busy) {
        if (serving.has(webhook.id)) continue;
        if (hasPlace(webhook)) serve(webhook);
        else isCrowded ||= !webhook.failing;
      }
    },
    idle: async () => {
      await Promise.all([...serving.values()].map(({ run }) => run));
    },
  };
}
