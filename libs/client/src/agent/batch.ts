import { jsonOf } from '../json.js';
import type { Message } from '../thread.js';

/** The API takes 1,000 messages and 8 MiB in a request. */
const maxMessages = 1_000;
const maxBytes = 4 * 1024 * 1024;
/** What stands beside a message that is alone in a request: the usage, a fingerprint. */
const besideBytes = 64 * 1024;
const maxMessageBytes = 8 * 1024 * 1024 - besideBytes;

const encoder = new TextEncoder();

const bytesOf = (message: Message): number => encoder.encode(jsonOf(message)).length;

/** Whether no request may have this message. */
export const isTooLarge = (message: Message): boolean => bytesOf(message) > maxMessageBytes;

/** Returns the messages at the start of a queue that one request may have: at least one, whatever its size. */
export function batchOf<M extends Message>(queue: readonly M[]): M[] {
  let bytes = 0;
  const end = queue.slice(0, maxMessages).findIndex((message, i) => {
    bytes += bytesOf(message);
    return i > 0 && bytes > maxBytes;
  });
  return queue.slice(0, end < 0 ? maxMessages : end);
}
