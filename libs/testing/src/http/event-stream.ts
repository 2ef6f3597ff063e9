/** An event as received from a stream. */
export interface StreamedEvent {
  id: string;
  type: string;
  timestamp: string;
  thread_id: string;
  data: Record<string, string | number | null>;
}

export interface OpenStream {
  status: number;
  events: StreamedEvent[];
  /** The id to resume after. */
  lastId(): string;
  comments(): number;
  /** Settles when the stream ends, for any reason. */
  ended: Promise<void>;
  close(): void;
}

/** Reads a stream of server-sent events as a plain client does. */
export async function openEvents(
  { url, key }: { url: string; key: string },
  { thread, lastEventId }: { thread?: string; lastEventId?: string } = {},
): Promise<OpenStream> {
  const stop = new AbortController();
  const response = await fetch(`${url}/v1/events${thread ? `?thread=${thread}` : ''}`, {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
    },
    signal: stop.signal,
  });
  const events: StreamedEvent[] = [];
  let lastId = lastEventId ?? '';
  let comments = 0;
  const take = (block: string) => {
    const fields = block.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line));
    for (const field of fields) {
      if (field?.[1] === '') comments++;
      if (field?.[1] === 'id') lastId = field[2]!;
      if (field?.[1] === 'data') events.push(JSON.parse(field[2]!) as StreamedEvent);
    }
  };
  const read = async () => {
    if (!response.ok || !response.body) return;
    let rest = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop()!;
      blocks.forEach(take);
    }
  };
  return {
    status: response.status,
    events,
    lastId: () => lastId,
    comments: () => comments,
    ended: read().catch(() => undefined),
    close: () => stop.abort(),
  };
}
