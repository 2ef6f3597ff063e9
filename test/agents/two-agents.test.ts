import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, { BadRequestError } from 'openai';
import { startStubProvider, type StubProvider } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asText, SpillwayThread, toolSchemas } from './spillway-thread.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
let provider: StubProvider;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  // Every third answer is a text; the others call two tools at once.
  provider = await startStubProvider({
    contextWindow: 16_000,
    model: ({ step }) =>
      step % 3 === 2
        ? { text: 'Done.' }
        : { calls: [1, 2].map((n) => ({ name: 'note', args: { n: step * 10 + n } })) },
  });
});
afterAll(async () => {
  await provider?.stop();
});

interface Refused {
  message: string;
  /** What the context said of calls that nobody has answered. */
  announced: number;
}

/** Asks `turns` times; reads the context again when the provider refuses it, as a program that retries does. */
async function agent(thread: SpillwayThread, name: string, turns: number): Promise<Refused[]> {
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
  const tools = toolSchemas.map((schema) => ({ type: 'function' as const, function: schema }));
  const refused: Refused[] = [];
  for (let turn = 0; turn < turns; turn++) {
    await thread.record([{ role: 'user', content: `${name} asks for the ${turn}th time.` }]);
    for (let done = false; !done;) {
      const { messages, pending_calls } = await thread.context();
      const answer = await client.chat.completions
        .create({
          model: 'gpt-4o-mini',
          messages: messages as unknown as OpenAI.ChatCompletionMessageParam[],
          tools,
        })
        .catch((error: unknown) => {
          if (!(error instanceof BadRequestError)) throw error;
          refused.push({ message: error.message, announced: pending_calls.length });
        });
      if (!answer) {
        await sleep(5);
        continue;
      }
      const { message } = answer.choices[0]!;
      await thread.record([message]);
      const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function');
      for (const { id, function: called } of calls) {
        const result = await thread.run(called.name, JSON.parse(called.arguments) as Record<string, unknown>);
        await thread.record([{ role: 'tool', tool_call_id: id, content: asText(result) }]);
      }
      done = calls.length === 0;
    }
  }
  return refused;
}

test('two agents on one thread: a context that the provider refuses says which calls are open', async () => {
  const threads = ['A', 'B'].map(() => new SpillwayThread(stack, 'shared', 'openai'));
  await threads[0]!.create(toolSchemas);
  const refused = (await Promise.all(threads.map((thread, i) => agent(thread, 'AB'[i]!, 8)))).flat();
  expect(refused.filter(({ announced }) => announced === 0)).toEqual([]);
  // Both spoke at once: some contexts did end in calls of the other agent.
  expect(
    threads.flatMap(({ served }) => served).filter((context) => context.pending_calls.length > 0),
  ).not.toEqual([]);
});
