import type { Query } from '../../connection/store.js';
import { forgetOldest } from '../forget-oldest.js';
import type { DeliveryRow } from '../../webhooks.js';
import { eventsEdgeXid, type EventPosition } from './events.js';

/** A webhook with pending work. */
export interface BusyWebhook {
  projectId: string;
  id: string;
  /** Its last delivery failed. */
  failing: boolean;
}

const enabled = `w.disabled_at IS NULL`;
const due = `d.state = 'pending' AND d.next_attempt_at <= now() AND (d.lease_until IS NULL OR d.lease_until <= now())`;

/** Enabled webhooks of all projects with new events or due deliveries: first those that work, in any order. */
export const busyWebhooks = (query: Query) =>
  query<BusyWebhook>(
    {
      name: 'busy-webhooks',
      text: `SELECT w.project_id AS "projectId", w.id, w.failing_since IS NOT NULL AS failing FROM webhooks w WHERE ${enabled} AND (
          EXISTS (SELECT FROM webhook_deliveries d WHERE d.project_id = w.project_id AND d.webhook_id = w.id AND ${due})
          OR EXISTS (SELECT FROM events e WHERE e.project_id = w.project_id AND (e.xid, e.id) > (w.after_xid, w.after_id)
            AND e.xid < ${eventsEdgeXid}))
        ORDER BY failing, random() LIMIT 500`,
    },
    [],
  );

export interface NewDelivery {
  messageId: string;
  type: string;
  payload: string;
}

/**
 * Creates the deliveries of new events and moves the webhook's position, in one statement. Guarantees that each event
 * becomes one delivery: a concurrent caller whose position is stale does nothing.
 */
export async function fanOutEvents(
  query: Query,
  of: { projectId: string; webhookId: string; from: EventPosition; through: EventPosition },
  deliveries: readonly NewDelivery[],
): Promise<boolean> {
  const rows = await query(
    {
      name: 'fan-out-events',
      text: `WITH moved AS (
          UPDATE webhooks w SET after_xid = $5::bigint, after_id = $6::bigint
          WHERE w.project_id = $1 AND w.id = $2 AND w.after_xid = $3::bigint AND w.after_id = $4::bigint AND ${enabled}
          RETURNING w.project_id, w.id
        ), made AS (
          INSERT INTO webhook_deliveries (project_id, webhook_id, message_id, type, payload)
          SELECT moved.project_id, moved.id, n.message_id, n.type, n.payload
          FROM moved, unnest($7::text[], $8::text[], $9::text[]) AS n(message_id, type, payload)
        ) SELECT id FROM moved`,
    },
    [
      of.projectId,
      of.webhookId,
      of.from.xid,
      of.from.id,
      of.through.xid,
      of.through.id,
      deliveries.map((delivery) => delivery.messageId),
      deliveries.map((delivery) => delivery.type),
      deliveries.map((delivery) => delivery.payload),
    ],
  );
  return rows.length === 1;
}

export type ClaimedDelivery = Pick<DeliveryRow, 'id' | 'messageId' | 'payload' | 'attempts' | 'leaseEpoch'>;

/**
 * Claims the deliveries that have been due for longest. One holder at a time during the lease; the attempt is counted
 * here, so one that crashes its worker is counted too. An unreported delivery is sent again.
 */
export const claimDeliveries = (
  query: Query,
  of: { projectId: string; webhookId: string; limit: number; leaseMs: number },
) =>
  query<ClaimedDelivery>(
    {
      name: 'claim-deliveries',
      text: `UPDATE webhook_deliveries SET attempts = attempts + 1, lease_epoch = lease_epoch + 1,
          lease_until = now() + $4::int * interval '1 ms'
        WHERE project_id = $1 AND webhook_id = $2 AND id IN (
          SELECT d.id FROM webhook_deliveries d WHERE d.project_id = $1 AND d.webhook_id = $2 AND ${due}
          ORDER BY d.next_attempt_at, d.position LIMIT $3 FOR UPDATE SKIP LOCKED)
        RETURNING id, message_id AS "messageId", payload, attempts, lease_epoch AS "leaseEpoch"`,
    },
    [of.projectId, of.webhookId, of.limit, of.leaseMs],
  );

export interface DeliveryReport {
  projectId: string;
  webhookId: string;
  id: string;
  leaseEpoch: number;
  state: 'delivered' | 'failed' | 'pending';
  /** For `pending`. */
  retryInMs: number;
  status: number | null;
  error: string | null;
  response: string | null;
  ms: number;
  /** The receiver answered 410 Gone. */
  gone: boolean;
  /** A webhook without a successful delivery for longer is disabled. */
  disableAfterMs: number;
}

/**
 * Records how an attempt ended, if its lease is still held, and updates its webhook: a success resets its failures; one
 * that is gone or failed for too long is disabled.
 */
export const reportDelivery = (query: Query, r: DeliveryReport) =>
  query(
    {
      name: 'report-delivery',
      text: `WITH told AS (
          UPDATE webhook_deliveries SET state = $5::text, lease_until = NULL,
            next_attempt_at = now() + $6::int * interval '1 ms', last_status = $7::int, last_error = $8::text,
            last_response = $9::text, last_ms = $10::int,
            ended_at = CASE WHEN $5::text <> 'pending' THEN now() END
          WHERE project_id = $1 AND webhook_id = $2 AND id = $3 AND lease_epoch = $4 AND lease_until IS NOT NULL
          RETURNING webhook_id
        )
        UPDATE webhooks w SET
          failing_since = CASE WHEN $5::text <> 'delivered' THEN coalesce(w.failing_since, now()) END,
          disabled_reason = CASE WHEN w.disabled_at IS NOT NULL THEN w.disabled_reason WHEN $11::bool THEN 'gone'
            WHEN $5::text <> 'delivered' AND w.failing_since < now() - $12::bigint * interval '1 ms' THEN 'failing' END,
          disabled_at = CASE WHEN w.disabled_at IS NOT NULL THEN w.disabled_at
            WHEN $11::bool OR $5::text <> 'delivered' AND w.failing_since < now() - $12::bigint * interval '1 ms' THEN now() END
        FROM told WHERE w.project_id = $1 AND w.id = told.webhook_id
          AND ($5::text <> 'delivered' OR w.failing_since IS NOT NULL)`,
    },
    [
      r.projectId,
      r.webhookId,
      r.id,
      r.leaseEpoch,
      r.state,
      r.retryInMs,
      r.status,
      r.error,
      r.response,
      r.ms,
      r.gone,
      r.disableAfterMs,
    ],
  );

/** Releases a delivery untried, on shutdown. */
export const giveBackDelivery = (
  query: Query,
  of: { projectId: string; webhookId: string; id: string; leaseEpoch: number },
) =>
  query(
    {
      name: 'give-back-delivery',
      text: `UPDATE webhook_deliveries SET lease_until = NULL, attempts = attempts - 1
        WHERE project_id = $1 AND webhook_id = $2 AND id = $3 AND lease_epoch = $4 AND lease_until IS NOT NULL`,
    },
    [of.projectId, of.webhookId, of.id, of.leaseEpoch],
  );

/** Makes a delivery due again, with its attempts reset. False when the webhook has none with this id. */
export async function renewDelivery(
  query: Query,
  projectId: string,
  webhookId: string,
  id: string,
): Promise<boolean> {
  const rows = await query(
    {
      name: 'renew-delivery',
      text: `UPDATE webhook_deliveries SET state = 'pending', attempts = 0, next_attempt_at = now(), lease_until = NULL,
          lease_epoch = lease_epoch + 1, ended_at = NULL
        WHERE project_id = $1 AND webhook_id = $2 AND id = $3 RETURNING id`,
    },
    [projectId, webhookId, id],
  );
  return rows.length === 1;
}

/** Removes deliveries that finished more than `keepMs` ago, at most a batch of the oldest, and returns how many. */
export const forgetDeliveries = (query: Query, projectId: string, keepMs: number): Promise<number> =>
  forgetOldest(
    query,
    {
      name: 'forget-deliveries',
      table: 'webhook_deliveries',
      isOld: `project_id = $1 AND ended_at < now() - $2::bigint * interval '1 ms'`,
      by: 'ended_at',
    },
    [projectId, keepMs],
  );
