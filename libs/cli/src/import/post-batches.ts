import { SpillwayError, type Message, type Thread } from '@spillway/client';
import { fitsBatch, sizeOf, withStubs } from '@spillway/client/agent';
import { CommandError, type Environment } from '../program/command.js';
import { explainError } from '../program/explain-error.js';
import type { ImportedMessage } from './imported-session.js';

/** Messages for one request. */
export interface Batch {
  messages: ImportedMessage[];
  /** Of a message without an id of its own in it; the API makes its id from the key. */
  idempotencyKey?: string;
}

/** A message as it is posted, with the fields that are Spillway's own. */
export type PostedMessage = Message & { id?: string; sent_at?: string };

/** The API takes 1,000 messages in a request. */
const maxMessages = 500;

/**
 * Divides messages into requests, in order. An item of the Responses API without an id goes alone: an id of ours in it
 * would be sent to the provider, so the API gives it one from the key of its request.
 */
export function batchesOf(messages: readonly ImportedMessage[], format: string): Batch[] {
  const batches: Batch[] = [];
  let all = { bytes: 0, values: 0 };
  for (const message of messages) {
    if (format === 'responses' && !message.hasOwnId) {
      batches.push({ messages: [message], idempotencyKey: message.id.replace(/:0$/, '') });
      continue;
    }
    const size = sizeOf(message.message);
    const together = { bytes: all.bytes + size.bytes, values: all.values + size.values };
    const last = batches.at(-1);
    if (
      last &&
      last.idempotencyKey === undefined &&
      last.messages.length < maxMessages &&
      fitsBatch(together)
    ) {
      last.messages.push(message);
      all = together;
    } else {
      batches.push({ messages: [message] });
      all = size;
    }
  }
  return batches;
}

/**
 * The messages of a batch as they are posted. Tool results for which a message is too large are uploaded first, and
 * stubs are posted.
 */
export async function postedMessages(
  thread: Thread,
  { messages, idempotencyKey }: Batch,
): Promise<PostedMessage[]> {
  const posted: PostedMessage[] = [];
  for (const { id, message, at } of messages)
    posted.push({
      ...(await withStubs(thread, message)),
      ...(idempotencyKey === undefined ? { id } : {}),
      ...(at === null ? {} : { sent_at: at }),
    });
  return posted;
}

/**
 * Posted messages without the times that the API refused as too far ahead of its clock, and those later than one of
 * them. Null when it refused something else.
 */
export function withoutTimesAhead(
  error: unknown,
  posted: readonly PostedMessage[],
): { messages: PostedMessage[]; leftOut: number } | null {
  if (!(error instanceof SpillwayError) || error.code !== 'invalid_request') return null;
  const refused = (error.problem?.errors ?? []).flatMap(({ path }) => {
    const at = posted[Number(/^\/messages\/(\d+)\/sent_at$/.exec(path)?.[1])]?.sent_at;
    return at === undefined ? [] : [at];
  });
  const earliest = refused.toSorted()[0];
  if (earliest === undefined) return null;
  let leftOut = 0;
  const messages = posted.map((message) => {
    const { sent_at: at, ...rest } = message;
    if (at === undefined || at < earliest) return message;
    leftOut++;
    return rest;
  });
  return { messages, leftOut };
}

interface Posting {
  file: string;
  /** All messages of the session, of which the batch is a part. */
  messages: readonly ImportedMessage[];
  env: Environment;
  /** What to do next, and what was posted before the batch. */
  next: string;
}

/**
 * The error of a batch with the line of the message that it is about. Messages have their numbers in the session, from 1,
 * and a source that the content looks like has the name of its option.
 */
export function placedError(error: unknown, batch: Batch, { file, messages, env, next }: Posting): unknown {
  if (!(error instanceof SpillwayError)) return error;
  const explained = explainError(error, env)!;
  const index = Number(/^\/messages\/(\d+)/.exec(error.problem?.errors?.[0]?.path ?? '')?.[1] ?? NaN);
  const line = batch.messages[index]?.line;
  const place = line === undefined ? '' : `${file}:${line}: `;
  const first = messages.indexOf(batch.messages[0]!) + 1;
  const message = explained.message
    .replace(
      /(^|; |\()\/messages\/(\d+)(\/?)/g,
      (_, before: string, at: string, inside: string) =>
        `${before}message ${first + Number(at)}${inside && ': /'}`,
    )
    .replace(/: post it with \?format=([a-z-]+)/g, ': name it with --from $1');
  return new CommandError(error.code, `${place}${message}`, next, explained.exit, { cause: error });
}
