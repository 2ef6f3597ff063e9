import type { ServerResponse } from 'node:http';
import { streamEvents } from '../stub-provider/wire-api.js';
import type { StubAnswer } from './stub-answer.js';

/** An answer on its way out. `id` is unique, because clients tell messages apart by it. */
export interface Completed {
  id: string;
  model: string;
  reply: StubAnswer;
}

const textOf = ({ content = '' }: StubAnswer): string =>
  typeof content === 'string' ? content : JSON.stringify(content);

const usageOf = ({ usage = { prompt_tokens: 1, completion_tokens: 1 } }: StubAnswer) => ({
  ...usage,
  total_tokens: usage.prompt_tokens + usage.completion_tokens,
});

/** OpenAI's body of a chat completion. */
export const completion = ({ id, model, reply }: Completed) => ({
  id,
  object: 'chat.completion',
  created: 0,
  model,
  choices: [
    {
      index: 0,
      finish_reason: reply.finishReason ?? 'stop',
      message: {
        role: 'assistant',
        content: textOf(reply),
        ...(reply.refusal === undefined ? {} : { refusal: reply.refusal }),
      },
    },
  ],
  usage: usageOf(reply),
});

/** The same as OpenAI's events, for callers that ask for a stream: all of the text in one. */
export function streamCompletion(response: ServerResponse, { id, model, reply }: Completed): void {
  const chunk = (delta: object, finish_reason: string | null) => ({
    data: {
      id,
      object: 'chat.completion.chunk',
      created: 0,
      model,
      choices: [{ index: 0, delta, finish_reason }],
    },
  });
  const events = [
    chunk({ role: 'assistant', content: textOf(reply) }, null),
    chunk({}, reply.finishReason ?? 'stop'),
    { data: { id, object: 'chat.completion.chunk', created: 0, model, choices: [], usage: usageOf(reply) } },
  ];
  streamEvents(response, events, 'data: [DONE]\n\n');
}
