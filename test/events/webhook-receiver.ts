import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  id: string;
  type: string;
  data: Record<string, unknown>;
  /** Its signature was good for this secret. */
  at: number;
}

/** Somebody else's server: takes deliveries, verifies them with the library that receivers use, answers as told. */
export interface Receiver {
  url: string;
  /** Set once the webhook is made. */
  secret: string;
  received: Received[];
  /** Deliveries whose signature was not good. */
  forged: number;
  /** What it answers; `hang` never does. */
  answer: (received: Received) => number | 'hang' | { status: number; location: string };
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      try {
        const verified = new Webhook(receiver.secret).verify(body, request.headers as Record<string, string>);
        const { type, data } = verified as Pick<Received, 'type' | 'data'>;
        const one = { id: String(request.headers['webhook-id']), type, data, at: performance.now() };
        receiver.received.push(one);
        const answer = receiver.answer(one);
        if (answer === 'hang') return;
        if (typeof answer === 'number') response.writeHead(answer).end('said the receiver');
        else response.writeHead(answer.status, { location: answer.location }).end();
      } catch {
        receiver.forged++;
        response.writeHead(401).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    secret: '',
    received: [],
    forged: 0,
    answer: () => 200,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
