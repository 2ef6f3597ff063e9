import { outageLog, type Runtime, type WebhookSender } from '@spillway/service';

/** Milliseconds between two looks for deliveries: an event waits for half of it in the mean. */
const lookMs = 1_000;

/**
 * Looks for deliveries to webhooks. Of several workers one looks each time; when they can't agree on one, because Redis
 * is unavailable, all of them do. Returns a function that stops it and waits for the deliveries that have begun.
 */
export function startDeliveries(rt: Runtime, sender: WebhookSender, pollMs: number): () => Promise<void> {
  const everyMs = Math.min(lookMs, pollMs);
  const outages = outageLog(rt.log, 'the look for deliveries');
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const look = async () => {
    // Shorter than any wait: a worker is not kept from its look by its last one.
    if (await rt.hints.isFirst('look-for-deliveries', everyMs / 2)) await sender.look();
  };
  const next = () => {
    // At different times, so that now this worker is the first and now another: one serves only so many webhooks.
    const inMs = everyMs * (0.75 + Math.random() / 2);
    timer = setTimeout(() => {
      running = look()
        .then(outages.worked, outages.failed)
        .finally(() => stopped || next());
    }, inMs);
  };
  next();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
    await sender.idle();
  };
}
