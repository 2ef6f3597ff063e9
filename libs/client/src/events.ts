import { ConnectionError, type SpillwayError } from './errors.js';
import type { components } from './schema.js';
import { pause, type CallOptions, type Transport } from './transport.js';

/** One event of the project. */
export type SpillwayEvent = components['schemas']['Event'];

/** Which events, and from where on. */
export interface EventsOptions extends CallOptions {
  /** Only events of this thread. */
  thread?: string;
  /** Goes on after this event. Default: from now on. */
  lastEventId?: string;
  /**
   * A connection over which nothing came for this long, in milliseconds, is opened again. Default: 45,000; the service
   * gives a sign of life every 15 s.
   */
  silentMs?: number;
}

const firstPauseMs = 500;
const maxPauseMs = 15_000;

/**
 * Events as they happen, each once. A connection that is lost is opened again where it ended. Ends when `signal`
 * aborts; throws when the service refuses the stream.
 */
export async function* eventsOf(
  transport: Transport,
  { thread, lastEventId, silentMs = 45_000, signal }: EventsOptions,
): AsyncGenerator<SpillwayEvent> {
  let lastId = lastEventId;
  for (let pauseMs = firstPauseMs; !signal?.aborted; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
    const silence = new Silence(silentMs);
    try {
      silence.begin();
      const response = await transport.send({
        method: 'GET',
        path: '/v1/events',
        query: { thread },
        headers: { accept: 'text/event-stream', 'last-event-id': lastId },
        signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
        timeoutMs: Infinity,
      });
      for await (const block of blocksOf(response, silence)) {
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
      const isLost = silence.signal.aborted || error instanceof ConnectionError || isBrokenStream(error);
      if (status === 0 && !isLost) throw error;
    } finally {
      silence.end();
    }
    // An abort ends the pause, and with it the loop.
    await pause(pauseMs, signal).catch(() => undefined);
  }
}

/** Aborts when a wait takes too long: a connection may lose its other end without a word. */
class Silence {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  readonly signal = this.controller.signal;

  constructor(private readonly ms: number) {}

  begin(): void {
    this.end();
    this.timer = setTimeout(() => this.controller.abort(), this.ms);
  }

  end(): void {
    clearTimeout(this.timer);
  }
}

/** What fetch throws when the body of an answer breaks off. */
const isBrokenStream = (error: unknown): boolean =>
  error instanceof TypeError || (error as Error).name === 'AbortError';

async function* blocksOf(response: Response, silence: Silence): AsyncGenerator<string> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      silence.begin();
      const { done, value } = await reader.read();
      // The caller may take its time with an event.
      silence.end();
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
