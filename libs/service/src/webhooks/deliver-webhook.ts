import { SpanKind, type Span } from '@opentelemetry/api';
import {
  claimDeliveries,
  databaseTime,
  eventsAfter,
  findWebhook,
  giveBackDelivery,
  reportDelivery,
  fanOutEvents,
  type ClaimedDelivery,
  type WebhookRow,
} from '@spillway/store';
import { Webhook } from 'standardwebhooks';
import type { Runtime } from '../runtime.js';
import { activeTraceparent, fail, inSpan } from '../tracing/spans.js';
import { postWebhook, type Posted } from './post-webhook.js';
import { webhookMessage } from './webhook-message.js';
import { signingSecrets, withinOverlap } from './webhook-secret.js';
import { disableAfterMs, retryInMs } from './webhook-retries.js';

/** How long a webhook is served while others wait. */
const turnMs = 1_000;
/** Maximum of concurrent deliveries of one webhook. */
const atOnce = 4;
/** Twice the receiver's timeout: after that the worker has crashed. */
const leaseMs = 20_000;

/**
 * Sends the due deliveries of a webhook, a batch at a time: all of them, or until one failed, or for a second while
 * others wait. Runs in its project's scope.
 */
export async function deliverWebhook(
  rt: Runtime,
  { projectId, id }: { projectId: string; id: string },
  othersWait: () => boolean,
): Promise<void> {
  const began = performance.now();
  for (let batch = 1; !rt.draining.aborted; batch++) {
    const found = await findWebhook(rt.store, projectId, id);
    if (!found || found.disabledAt) return;
    const [webhook = found] = await withinOverlap(rt, [found]);
    const isOver = othersWait() && performance.now() - began > turnMs;
    if (batch > 1 && (webhook.failingSince || isOver)) return;
    const fannedOut = await fanOutNextEvents(rt, webhook);
    const of = { projectId, webhookId: id };
    const claimed = await claimDeliveries(rt.store.query, { ...of, limit: atOnce, leaseMs });
    if (claimed.length === 0 && !fannedOut) return;
    // A secret may have been replaced since the webhook was read: what was claimed after that is signed with the new one.
    const [current = webhook] = await withinOverlap(rt, [
      (await findWebhook(rt.store, projectId, id)) ?? found,
    ]);
    await Promise.all(claimed.map((delivery) => attempt(rt, current, delivery)));
  }
}

/** Creates deliveries of the next events. Returns false when there were none. */
async function fanOutNextEvents(rt: Runtime, webhook: WebhookRow): Promise<boolean> {
  const { projectId, id: webhookId, types } = webhook;
  const from = { xid: String(webhook.afterXid), id: String(webhook.afterId) };
  const { rows } = await eventsAfter(rt.store.query, [projectId], from);
  const last = rows.at(-1);
  if (!last) return false;
  const wanted = rows.filter((row) => types.length === 0 || types.includes(row.type));
  const through = { xid: last.xid, id: last.id };
  return fanOutEvents(rt.store.query, { projectId, webhookId, from, through }, wanted.map(webhookMessage));
}

/** One attempt, in a trace of its own: its event may be of hours ago, and of a process that has ended. */
function attempt(rt: Runtime, webhook: WebhookRow, delivery: ClaimedDelivery): Promise<void> {
  const attributes = { 'spillway.project': webhook.projectId, 'spillway.attempt': delivery.attempts };
  return inSpan('deliver webhook', { kind: SpanKind.CLIENT, attributes }, (span) =>
    attemptWithin(span, rt, webhook, delivery),
  );
}

async function attemptWithin(
  span: Span,
  rt: Runtime,
  webhook: WebhookRow,
  delivery: ClaimedDelivery,
): Promise<void> {
  const { id, messageId, payload: body, leaseEpoch, attempts } = delivery;
  const of = { projectId: webhook.projectId, webhookId: webhook.id, id, leaseEpoch };
  const started = performance.now();
  const answer = await post(rt, webhook, messageId, body);
  if (rt.draining.aborted && answer.status === null) return void (await giveBackDelivery(rt.store.query, of));
  const delivered = answer.status !== null && answer.status >= 200 && answer.status < 300;
  const gone = answer.status === 410;
  const wait = gone ? null : retryInMs(rt.timing.webhookRetriesMs, attempts, Math.random());
  const outcome = delivered ? 'delivered' : wait === null ? 'failed' : 'retried';
  rt.metrics.add('spillway_webhook_deliveries_total', { outcome });
  span.setAttributes({
    'spillway.outcome': outcome,
    ...(answer.status === null ? {} : { 'http.response.status_code': answer.status }),
  });
  if (!delivered) fail(span, answer.status === null ? 'no_answer' : String(answer.status));
  await reportDelivery(rt.store.query, {
    ...of,
    state: delivered ? 'delivered' : wait === null ? 'failed' : 'pending',
    retryInMs: delivered ? 0 : (wait ?? 0),
    status: answer.status,
    error: delivered ? null : (answer.error ?? sayStatus(answer.status!)),
    response: answer.response,
    ms: Math.round(performance.now() - started),
    gone,
    disableAfterMs,
  });
}

/** Posts a delivery, signed with each valid secret. */
async function post(rt: Runtime, webhook: WebhookRow, messageId: string, body: string): Promise<Posted> {
  // Receivers refuse a delivery that is some minutes old or ahead: the clock of this host may be off.
  const now = new Date(await databaseTime(rt.store.query));
  let signatures: string[];
  try {
    signatures = signingSecrets(rt, webhook).map((secret) => new Webhook(secret).sign(messageId, now, body));
  } catch (error) {
    rt.log.error({ err: error, webhook: webhook.id }, 'the secret of a webhook cannot be opened');
    return { status: null, error: 'secret_unreadable', response: null };
  }
  const traceparent = activeTraceparent();
  const headers = {
    // A receiver that is traced continues the trace of the delivery.
    ...(traceparent === undefined ? {} : { traceparent }),
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
  return postWebhook(new URL(webhook.url), { headers, body }, rt.webhookHosts, rt.draining);
}

const sayStatus = (status: number): string =>
  status >= 300 && status < 400 ? 'redirects are not followed' : `answered ${status}`;
