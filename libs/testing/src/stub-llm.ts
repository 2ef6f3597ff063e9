import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface StubCall {
  model: string;
  system: string;
  /** The first message of the user. */
  prompt: string;
  /** All of the request: messages, tools, response_format ... */
  body: { messages: { role: string; content: unknown }[]; [key: string]: unknown };
  at: number;
}

export interface StubAnswer {
  status?: number;
  headers?: Record<string, string>;
  delayMs?: number;
  /** The assistant's text; an object is sent as JSON. */
  content?: unknown;
  /** `length` when the answer was cut off. */
  finishReason?: string;
}

export interface StubLlm {
  /** Base URL in OpenAI's style. */
  url: string;
  calls: StubCall[];
  /** What every further call gets. */
  answer: (call: StubCall) => StubAnswer;
  stop(): Promise<void>;
}

const fields = (call: StubCall) => ({
  task_overview: `Task as seen by ${call.model}.`,
  current_state: `The transcript had ${call.prompt.length} characters.`,
  important_discoveries: 'None.',
  next_steps: 'Go on.',
  context_to_preserve: 'Nothing.',
});

/** A server that speaks OpenAI's chat completions and says what the test wants: the one stand-in of the tests. */
export async function startStubLlm(): Promise<StubLlm> {
  const calls: StubCall[] = [];
  const stub: Pick<StubLlm, 'answer'> = { answer: (call) => ({ content: fields(call) }) };
  const server = createServer((request, response) => {
    void reply(request, response, calls, (call) => stub.answer(call));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(stub, {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
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
  calls: StubCall[],
  answer: (call: StubCall) => StubAnswer,
): Promise<void> {
  const body = JSON.parse(await text(request)) as {
    model: string;
    messages: { role: string; content: string }[];
  };
  const said = (role: string) => body.messages.find((message) => message.role === role)?.content ?? '';
  const call: StubCall = {
    model: body.model,
    system: said('system'),
    prompt: said('user'),
    body,
    at: Date.now(),
  };
  calls.push(call);
  const { status = 200, headers = {}, delayMs = 0, content, finishReason = 'stop' } = answer(call);
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(
    JSON.stringify(
      status === 200 ? completion(body.model, content, finishReason) : { error: { message: 'stub' } },
    ),
  );
}

const completion = (model: string, content: unknown, finishReason: string) => ({
  id: 'stub',
  object: 'chat.completion',
  created: 0,
  model,
  choices: [
    {
      index: 0,
      finish_reason: finishReason,
      message: {
        role: 'assistant',
        content: typeof content === 'string' ? content : JSON.stringify(content),
      },
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
