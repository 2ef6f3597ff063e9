import { SpillwayError } from '@spillway/service';

/**
 * A conflict of a message that has no id of its own, and was found by the idempotency key: its caller sent that key and
 * no id. Any other error is returned as it is.
 */
export function namedByKey(error: unknown, body: unknown): unknown {
  if (!(error instanceof SpillwayError) || error.code !== 'message_conflict') return error;
  const index = /^\/messages\/(\d+)\/id$/.exec(error.errors?.[0]?.path ?? '')?.[1];
  const { messages } = body as { messages: readonly { id?: unknown }[] };
  if (index === undefined || messages[Number(index)]?.id !== undefined) return error;
  return new SpillwayError(
    'message_conflict',
    'This Idempotency-Key was sent with other messages before. Nothing was recorded. Use a new key for new messages.',
    [
      { path: '/idempotency-key', message: 'was sent with other messages before' },
      { path: `/messages/${index}`, message: 'is not what was recorded with this key' },
    ],
  );
}
