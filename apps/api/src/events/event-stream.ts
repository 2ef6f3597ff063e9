import { publishedEvent, writeEventId, type EventPosition, type EventRow } from '@spillway/service';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export const eventStreamType = 'text/event-stream; charset=utf-8';

/** Keeps the stream alive through proxies, and detects clients that are gone. */
const heartbeatMs = 15_000;
/**
 * Maximum bytes buffered for a slow client. Beyond it the connection is closed; the client reconnects with its last id.
 */
const maxBufferedBytes = 1024 * 1024;
/** How long a client that catches up may take for one page. */
const maxPageMs = 30_000;
/** How long a client may take to read the end of the stream. */
const maxCloseMs = 2_000;
/** How soon a client should reconnect, in ms. */
const retryMs = 1_000;

/** The stream of server-sent events of one client, on a response of its own. */
export class EventStream {
  private heart: NodeJS.Timeout | undefined;
  private waiting: Promise<unknown> | undefined;

  constructor(private readonly response: ServerResponse) {}

  /** Sends the headers; events follow. */
  open(headers: Record<string, number | string | string[] | undefined>, from: EventPosition): void {
    const { response } = this;
    response.writeHead(200, {
      ...(headers as Record<string, string>),
      'content-type': eventStreamType,
      // No proxy may cache, compress or buffer it.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    // Where a client resumes that loses the connection before the first event. An event without data is not dispatched,
    // but every EventSource remembers its id.
    response.write(`retry: ${retryMs}\nid: ${writeEventId(from)}\n\n`);
    this.heart = setInterval(() => response.write(': alive\n\n'), heartbeatMs);
    this.heart.unref();
    response.once('close', () => clearInterval(this.heart));
    response.on('error', () => response.destroy());
  }

  /** Waits while the client is behind, so that it catches up at its own pace. */
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

  /** Ends the stream. Does not wait for a client that does not read the end. */
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
