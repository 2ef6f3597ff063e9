import { ConnectionError, type SpillwayError } from './errors.js';
import type { components } from './schema.js';
import { pause, type Transport } from './transport.js';

/** One event of the project. */
export type SpillwayEvent = components['schemas']['Event'];

/** Which events, and from where on. */
export interface EventsOptions {
  /** Only events of this thread. */
  thread?: string;
  /** Goes on after this event. Default: from now on. */
  lastEventId?: string;
  signal?: AbortSignal;
}

const firstPauseMs = 500;
const maxPauseMs = 15_000;

/**
 * Events as they happen, each once. A connection that is lost is opened again where it ended. Ends when `signal`
 * aborts; throws when the service refuses the stream.
 */
export async function* eventsOf(
  transport: Transport,
  { thread, lastEventId, signal }: EventsOptions,
): AsyncGenerator<SpillwayEvent> {
  let lastId = lastEventId;
  for (let pauseMs = firstPauseMs; !signal?.aborted; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
    try {
      const response = await transport.send({
        method: 'GET',
        path: '/v1/events',
        query: { thread },
        headers: { accept: 'text/event-stream', 'last-event-id': lastId },
        signal,
        timeoutMs: Infinity,
      });
      for await (const block of blocksOf(response)) {
        const { id, data } = fieldsOf(block);
        if (id !== undefined) lastId = id;
        if (data === undefined) continue;
        pauseMs = firstPauseMs;
        yield JSON.parse(data) as SpillwayEvent;
      }
    } catch (error) {
      if (signal?.aborted) return;
      // A refusal stays one; a lost connection is opened again.
      const status = (error as Partial<SpillwayError>).status ?? 0;
      if (status >= 400 && status < 500 && status !== 429) throw error;
      if (!(error instanceof ConnectionError) && status === 0 && !isBrokenStream(error)) throw error;
    }
    // An abort ends the pause, and with it the loop.
    await pause(pauseMs, signal).catch(() => undefined);
  }
}

/** What fetch throws when the body of an answer breaks off. */
const isBrokenStream = (error: unknown): boolean =>
  error instanceof TypeError || (error as Error).name === 'AbortError';

async function* blocksOf(response: Response): AsyncGenerator<string> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop()!;
      yield* blocks;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function fieldsOf(block: string): { id?: string; data?: string } {
  const fields: { id?: string; data?: string } = {};
  for (const line of block.split('\n')) {
    const found = /^(id|data): ?(.*)$/.exec(line);
    if (found) fields[found[1] as 'id' | 'data'] = found[2]!;
  }
  return fields;
}
