import OpenAI from 'openai';
import { asText, toolSchemas, type SpillwayThread } from './spillway-thread.js';

type Messages = OpenAI.ChatCompletionMessageParam[];

const tools = toolSchemas.map((schema) => ({ type: 'function' as const, function: schema }));

/** An agent by hand over the OpenAI SDK, streaming. */
export async function openaiChatAgent(
  thread: SpillwayThread,
  providerUrl: string,
): Promise<(asked: string) => Promise<void>> {
  const client = new OpenAI({ baseURL: `${providerUrl}/v1`, apiKey: 'sk-test', maxRetries: 0 });
  await thread.create(tools);
  return async (asked) => {
    await thread.record([{ role: 'user', content: asked }]);
    for (;;) {
      const { messages, system } = await thread.context();
      const stream = client.chat.completions.stream({
        model: 'gpt-4o-mini',
        messages: [
          ...(system === null ? [] : [{ role: 'system', content: system }]),
          ...messages,
        ] as unknown as Messages,
        tools,
        stream_options: { include_usage: true },
      });
      const { choices, usage } = await stream.finalChatCompletion();
      const { parsed: _, ...message } = choices[0]!.message;
      const calls = (message.tool_calls ?? [])
        .filter((call) => call.type === 'function')
        .map(({ id, type, function: { name, arguments: args } }) => ({
          id,
          type,
          function: { name, arguments: args },
        }));
      await thread.record([{ ...message, ...(calls.length > 0 ? { tool_calls: calls } : {}) }], usage);
      if (calls.length === 0) return;
      const results = calls.map(async (call) => ({
        role: 'tool',
        tool_call_id: call.id,
        content: asText(
          await thread.run(
            call.function.name,
            JSON.parse(call.function.arguments) as Record<string, unknown>,
          ),
        ),
      }));
      await thread.record(await Promise.all(results));
    }
  };
}
