import { jsonOf } from '../../json.js';
import type { Message } from '../../thread.js';
import { isTextAsInput, jsonValuesOf, maxValues, mayHaveTextAsInput } from './json-values.js';

/** The API takes 1,000 messages and 8 MiB in a request. */
const maxMessages = 1_000;
const maxBytes = 4 * 1024 * 1024;
/** What stands beside a message that is alone in a request: the usage, a fingerprint. */
const besideBytes = 64 * 1024;
const maxMessageBytes = 8 * 1024 * 1024 - besideBytes;

const encoder = new TextEncoder();

/** What a message takes of a request. */
export interface MessageSize {
  bytes: number;
  /** Of its JSON; Infinity when no request may have it. */
  values: number;
}

/** Returns what a message takes of a request. Takes time in proportion to its JSON text. */
export function sizeOf(message: Message): MessageSize {
  const json = jsonOf(message);
  const values = jsonValuesOf(json);
  return {
    bytes: encoder.encode(json).length,
    values: mayHaveTextAsInput(values) ? jsonValuesOf(jsonOf(withTextAsInputs(message))) : values,
  };
}

/** The message with the inputs of calls as the API counts them: one that no request may have is an object with a text. */
function withTextAsInputs(message: Message): Message {
  const { content } = message as { content?: unknown };
  if (!Array.isArray(content)) return message;
  const parts = (content as unknown[]).map((part) => {
    const { input } = Object(part) as { input?: unknown };
    const isText = typeof input === 'object' && input !== null && isTextAsInput(jsonOf(input));
    return isText ? { ...(part as object), input: {} } : part;
  });
  return { ...message, content: parts };
}

/** Whether no request may have a message of this many bytes. */
export const hasTooManyBytes = ({ bytes }: MessageSize): boolean => bytes > maxMessageBytes;

/** Whether no request may have a message of this size. */
export const isTooLarge = (size: MessageSize): boolean => hasTooManyBytes(size) || size.values > maxValues;

/** Whether one request may have messages that are this large together. */
export const fitsBatch = ({ bytes, values }: MessageSize): boolean =>
  bytes <= maxBytes && values <= maxValues;

/** Returns the messages at the start of a queue that one request may have: at least one, whatever its size. */
export function batchOf<M extends Message>(queue: readonly M[]): M[] {
  const all: MessageSize = { bytes: 0, values: 0 };
  const end = queue.slice(0, maxMessages).findIndex((message, i) => {
    const { bytes, values } = sizeOf(message);
    all.bytes += bytes;
    all.values += values;
    return i > 0 && !fitsBatch(all);
  });
  return queue.slice(0, end < 0 ? maxMessages : end);
}
