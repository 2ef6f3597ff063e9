import { clientId, messagesAppendIn, type PostedMessages } from '@spillway/contracts';
import type { FormatName, IncomingMessage } from '@spillway/service';
import { checked } from '../http/valid.js';
import { refuseForeignParts } from './refuse-foreign-parts.js';

/**
 * Reads posted messages in a format. Messages without an id get one from the idempotency key. Throws `invalid_request`.
 */
export function incomingMessages(
  body: unknown,
  format: FormatName,
  key: string | undefined,
): IncomingMessage[] {
  refuseForeignParts(format, body);
  const { messages } = checked(messagesAppendIn[format], body) as PostedMessages;
  return messages.map((posted, i) => {
    const message = incomingMessage(posted, format);
    const fallbackId = key === undefined ? null : `${key}:${i}`;
    return { ...message, clientId: message.clientId ?? fallbackId };
  });
}

/**
 * Takes our own fields out of a posted message. In OpenAI's Responses format `id` is also a field of the item, which
 * the provider needs back, so it stays, and one that has not the form of a client's id is the provider's alone.
 */
function incomingMessage(posted: PostedMessages['messages'][number], format: FormatName): IncomingMessage {
  const { pinned = false, sent_at: sent, ...item } = posted;
  const { id, ...message } = item;
  return {
    clientId: clientId.safeParse(id).data ?? null,
    pinned,
    sentAt: sent === undefined ? null : new Date(sent),
    format,
    body: format === 'responses' ? item : message,
  };
}
