import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { plainFields, type StubAnswer, type StubCall } from './stub-answer.js';
import { completion, streamCompletion } from './stub-completion.js';
import { sendFaulty } from './wire-faults.js';

export interface StubLlm {
  /** Base URL in OpenAI's style. */
  url: string;
  /** Settings by which Spillway summarizes with it. */
  env: Record<string, string>;
  calls: StubCall[];
  /** What every further call gets. */
  answer: (call: StubCall) => StubAnswer;
  /** What it answers until a test says otherwise: a summary that names its messages. */
  plain: (call: StubCall) => StubAnswer;
  /** Forgets its calls and answers plainly again. */
  reset(): void;
  stop(): Promise<void>;
}

/** A server that speaks OpenAI's chat completions and says what the test wants: the only substitute of the tests. */
export async function startStubLlm(): Promise<StubLlm> {
  const calls: StubCall[] = [];
  let answers = 0;
  const plain: StubLlm['answer'] = (call) => ({ content: plainFields(call) });
  const stub: Pick<StubLlm, 'answer'> = { answer: plain };
  const server = createServer((request, response) => {
    const id = `stub-${++answers}`;
    reply(request, response, { id, calls, answer: (call) => stub.answer(call) }).catch((error: unknown) => {
      // The caller hung up in the middle of its own request.
      response.destroy(error as Error);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1`;
  return Object.assign(stub, {
    url,
    env: {
      SPILLWAY_LLM_PROVIDER: 'openai-compatible',
      SPILLWAY_LLM_BASE_URL: url,
      SPILLWAY_LLM_API_KEY: 'sk-test',
      SPILLWAY_LLM_MODEL: 'gpt-4o-mini',
    },
    calls,
    plain,
    reset: () => {
      calls.length = 0;
      stub.answer = plain;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}

async function reply(
  request: IncomingMessage,
  response: ServerResponse,
  { id, calls, answer }: { id: string; calls: StubCall[]; answer: (call: StubCall) => StubAnswer },
): Promise<void> {
  const body = JSON.parse(await text(request)) as {
    model: string;
    messages: { role: string; content: string }[];
    stream?: boolean;
  };
  const from = (role: string) => body.messages.find((message) => message.role === role)?.content ?? '';
  const call: StubCall = {
    model: body.model,
    system: from('system'),
    prompt: from('user'),
    body,
    at: Date.now(),
    hungUp: false,
  };
  response.once('close', () => (call.hungUp = !response.writableFinished));
  calls.push(call);
  const reply = answer(call);
  if (reply.delayMs) await sleep(reply.delayMs);
  await reply.after;
  const { status = 200, headers = {}, fault } = reply;
  const head = { status, headers: { 'content-type': 'application/json', ...headers } };
  if (status === 200 && body.stream && !fault) {
    streamCompletion(response, { id, model: body.model, reply });
    return;
  }
  const sent =
    status === 200
      ? completion({ id, model: body.model, reply })
      : { error: { message: reply.error ?? 'stub' } };
  if (fault) await sendFaulty(response, head, JSON.stringify(sent), fault);
  else response.writeHead(status, head.headers).end(JSON.stringify(sent));
}
