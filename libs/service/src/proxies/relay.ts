import { SpillwayError } from '@spillway/engine';
import { createParser } from 'eventsource-parser';
import { isEventStream } from './call-provider.js';
import { maxReplyBytes, refuseManyValues } from './reply-limits.js';
import { objectIn, type ProviderReply, type WireApi } from './wire-api.js';

export interface Ends {
  record: (reply: ProviderReply) => Promise<void>;
  /** Counts a stream that ended without its reply, with the usage that it had reported. */
  countCut: (usage: unknown) => Promise<void>;
  /** Logs why an answer is passed on and not recorded: its caller has paid for it. */
  unreadable: (error: unknown) => void;
}

/**
 * Passes the bytes on. Those that end a reply wait until it is recorded. A reply that is larger than a message may be is
 * passed on and not recorded: the upstream of a project must not take the memory of all.
 */
export async function* relay(answer: Response, api: WireApi, ends: Ends): AsyncGenerator<Uint8Array> {
  if (answer.ok && isEventStream(answer)) yield* relayStream(answer, api, ends);
  else yield* relayWhole(answer, api, ends);
}

async function* relayWhole(
  answer: Response,
  api: WireApi,
  { record, unreadable }: Ends,
): AsyncGenerator<Uint8Array> {
  let kept: Uint8Array[] | null = [];
  let bytes = 0;
  for await (const chunk of chunksOf(answer)) {
    bytes += chunk.length;
    if (kept && bytes > maxReplyBytes) {
      unreadable(new Error(`It has more than ${maxReplyBytes} bytes.`));
      yield* kept;
      kept = null;
    }
    if (kept) kept.push(chunk);
    else yield chunk;
  }
  if (!kept) return;
  const whole = Buffer.concat(kept);
  const reply = answer.ok ? replyIn(whole.toString('utf8'), api, unreadable) : null;
  if (reply) await record(reply);
  yield whole;
}

function replyIn(json: string, api: WireApi, unreadable: Ends['unreadable']): ProviderReply | null {
  try {
    refuseManyValues(json);
    return api.replyIn(objectIn(json));
  } catch (error) {
    unreadable(error);
    return null;
  }
}

async function* chunksOf(answer: Response): AsyncGenerator<Uint8Array> {
  try {
    yield* (answer.body ?? []) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new SpillwayError('upstream_failed', 'The model broke off its answer.', undefined, { cause });
  }
}

async function* relayStream(
  answer: Response,
  api: WireApi,
  { record, countCut, unreadable }: Ends,
): AsyncGenerator<Uint8Array> {
  const collector = api.collectReply();
  const decoder = new TextDecoder();
  let isUnreadable = false;
  const giveUp = (error: unknown): void => {
    isUnreadable = true;
    unreadable(error);
  };
  const parser = createParser({
    maxBufferSize: maxReplyBytes,
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') giveUp(error);
    },
    onEvent: (event) => {
      if (isUnreadable) return;
      try {
        refuseManyValues(event.data);
        collector.add(event);
      } catch (error) {
        giveUp(error);
      }
    },
  });
  let recorded = false;
  const recordOnce = async () => {
    if (!collector.reply || recorded || isUnreadable) return;
    recorded = true;
    await record(collector.reply);
  };
  try {
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      if (!isUnreadable) parser.feed(decoder.decode(chunk, { stream: true }));
      await recordOnce();
      yield chunk;
    }
    if (!isUnreadable) collector.ended?.();
    await recordOnce();
  } finally {
    // The caller left, or the provider broke off.
    if (!recorded && collector.usage) await countCut(collector.usage);
  }
}
