import { overlapUntil, type DeliveryRow, type WebhookRow } from '@spillway/service';

/** Without its secret, which is shown once. */
export const webhookView = (row: WebhookRow) => ({
  id: row.id,
  url: row.url,
  description: row.description,
  types: row.types,
  enabled: row.disabledAt === null,
  disabled_at: row.disabledAt?.toISOString() ?? null,
  disabled_reason: row.disabledReason,
  failing_since: row.failingSince?.toISOString() ?? null,
  previous_secret_until: overlapUntil(row)?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
});

export const deliveryView = (row: DeliveryRow) => ({
  id: row.id,
  message_id: row.messageId,
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  next_attempt_at: row.state === 'pending' ? row.nextAttemptAt.toISOString() : null,
  last_status: row.lastStatus,
  last_error: row.lastError,
  last_response: row.lastResponse,
  last_ms: row.lastMs,
  created_at: row.createdAt.toISOString(),
  ended_at: row.endedAt?.toISOString() ?? null,
});
