import { SpillwayError } from '@spillway/engine';
import { createParser } from 'eventsource-parser';
import { isEventStream } from './call-provider.js';
import { maxReplyBytes, refuseManyValues } from './reply-limits.js';
import { objectIn, type ProviderReply, type WireApi } from './wire-api.js';

/** What came of an answer that ended without its reply, or that holds none. */
export interface CutReply {
  /** As far as the provider had reported it; null before. */
  usage: unknown;
  /** Events of the stream that came. */
  events: number;
}

export interface Ends {
  record: (reply: ProviderReply) => Promise<void>;
  /** Counts an answer without a reply: its provider charges for it. */
  countCut: (cut: CutReply) => Promise<void>;
  /** Logs why an answer is passed on and not recorded: its caller has paid for it. */
  unreadable: (error: unknown) => void;
}

/**
 * Passes the bytes on. Those that end a reply wait until it is recorded. A reply that is larger than a message may be is
 * passed on and not recorded: the upstream of a project must not take the memory of all.
 */
export async function* relay(answer: Response, api: WireApi, ends: Ends): AsyncGenerator<Uint8Array> {
  if (!answer.ok) yield* chunksOf(answer);
  else if (isEventStream(answer)) yield* relayStream(answer, api, ends);
  else yield* relayWhole(answer, api, ends);
}

async function* relayWhole(answer: Response, api: WireApi, ends: Ends): AsyncGenerator<Uint8Array> {
  let reply: ProviderReply | null = null;
  try {
    const whole = yield* wholeOf(answer, ends);
    reply = whole && replyIn(whole.toString('utf8'), api, ends.unreadable);
    if (reply) await ends.record(reply);
    if (whole) yield whole;
  } finally {
    // It was too large or holds none, the caller left, or the provider broke off.
    if (!reply) await ends.countCut({ usage: null, events: 0 });
  }
}

/** The bytes of an answer. One that is too large to be recorded is passed on instead: null. */
async function* wholeOf(answer: Response, { unreadable }: Ends): AsyncGenerator<Uint8Array, Buffer | null> {
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
  return kept && Buffer.concat(kept);
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
  let events = 0;
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
      events++;
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
    if (!recorded) await countCut({ usage: collector.usage, events });
  }
}
