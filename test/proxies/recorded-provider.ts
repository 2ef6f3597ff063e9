import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: { messages: Record<string, unknown>[]; [key: string]: unknown };
}

export type Answer = (response: ServerResponse) => void | Promise<void>;

/** A provider that answers what a test says, byte for byte, and remembers what it was asked. */
export interface RecordedProvider {
  /** Without a path. */
  url: string;
  /** To be set before a request. */
  answer: Answer;
  received: Received[];
  stop(): Promise<void>;
}

export async function startRecordedProvider(answer: Answer): Promise<RecordedProvider> {
  const server = createServer((request, response) => {
    void (async () => {
      const { url, headers } = request;
      provider.received.push({ url, headers, body: JSON.parse(await text(request)) as Received['body'] });
      await provider.answer(response);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: RecordedProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer,
    received: [],
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}
