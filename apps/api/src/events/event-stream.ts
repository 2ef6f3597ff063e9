import { publishedEvent, writeEventId, type EventPosition, type EventRow } from '@spillway/service';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export const eventStreamType = 'text/event-stream; charset=utf-8';

/** Says that the stream is alive: to proxies that close what is silent, and to us when nobody is there any more. */
const heartbeatMs = 15_000;
/** Bytes that may wait for a client to read them. A slower one is let go and comes back with its last id. */
const maxBufferedBytes = 1024 * 1024;
/** How long one that catches up may take for a page. */
const maxPageMs = 30_000;
/** How long a client may take to read the end. */
const maxCloseMs = 2_000;
/** How soon a client should come back, in ms. */
const retryMs = 1_000;

/** One client's stream of server-sent events, on a response of its own. */
export class EventStream {
  private heart: NodeJS.Timeout | undefined;
  private waiting: Promise<unknown> | undefined;

  constructor(private readonly response: ServerResponse) {}

  /** Begins the answer; events come after. */
  open(headers: Record<string, number | string | string[] | undefined>, from: EventPosition): void {
    const { response } = this;
    response.writeHead(200, {
      ...(headers as Record<string, string>),
      'content-type': eventStreamType,
      // Nobody in between may keep, compress or gather it.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    // Where a client goes on that is cut off before the first event. Without data it is none, and with its id every
    // EventSource remembers it.
    response.write(`retry: ${retryMs}\nid: ${writeEventId(from)}\n\n`);
    this.heart = setInterval(() => response.write(': alive\n\n'), heartbeatMs);
    this.heart.unref();
    response.once('close', () => clearInterval(this.heart));
    response.on('error', () => response.destroy());
  }

  /** Waits while the client has more to read than it should: who catches up is served at its own pace. */
  async give(rows: EventRow[]): Promise<void> {
    if (rows.length === 0 || this.response.destroyed) return;
    const ready = this.response.write(rows.map(asText).join(''));
    if (this.response.writableLength > maxBufferedBytes) return void this.response.destroy();
    if (ready) return;
    this.waiting ??= once(this.response, 'drain', { signal: AbortSignal.timeout(maxPageMs) })
      .catch(() => this.response.destroy())
      .finally(() => (this.waiting = undefined));
    await this.waiting;
  }

  /** Ends in order; a client that does not read the end is not waited for. */
  end(): void {
    clearInterval(this.heart);
    this.response.end();
    setTimeout(() => this.response.destroy(), maxCloseMs).unref();
  }
}

const asText = (row: EventRow): string => {
  const event = publishedEvent(row);
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
};
