import type { PostedMessages } from '@spillway/contracts';
import type { FormatName, IncomingMessage } from '@spillway/service';

/**
 * Takes our two fields out of a posted message. In OpenAI's Responses format `id` is also a field of the item, which
 * the provider needs back, so it stays.
 */
export function incomingMessage(
  posted: PostedMessages['messages'][number],
  format: FormatName,
): IncomingMessage {
  const { pinned = false, ...item } = posted;
  const { id = null, ...message } = item;
  return { clientId: id, pinned, format, body: format === 'responses' ? item : message };
}
