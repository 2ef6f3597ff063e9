import Anthropic from '@anthropic-ai/sdk';
import { asText, toolSchemas, type SpillwayThread } from './spillway-thread.js';

const tools = toolSchemas.map(({ parameters, ...schema }) => ({ ...schema, input_schema: parameters }));

/** An agent by hand over the Anthropic SDK, streaming, with thinking blocks that come back as they were signed. */
export async function anthropicThinkingAgent(
  thread: SpillwayThread,
  providerUrl: string,
): Promise<(asked: string) => Promise<void>> {
  const client = new Anthropic({ baseURL: providerUrl, apiKey: 'sk-test', maxRetries: 0 });
  await thread.create(tools);
  return async (asked) => {
    await thread.record([{ role: 'user', content: asked }]);
    for (;;) {
      const { messages, system } = await thread.context();
      const { content, usage } = await client.messages
        .stream({
          model: 'claude-fable-5-1',
          max_tokens: 4_096,
          thinking: { type: 'enabled', budget_tokens: 1_024 },
          system: system ?? undefined,
          messages: messages as unknown as Anthropic.MessageParam[],
          tools,
        })
        .finalMessage();
      await thread.record([{ role: 'assistant', content }], usage);
      const calls = content.filter((block) => block.type === 'tool_use');
      if (calls.length === 0) return;
      const results = calls.map(async ({ id, name, input }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: asText(await thread.run(name, input as Record<string, unknown>)),
      }));
      await thread.record([{ role: 'user', content: await Promise.all(results) }]);
    }
  };
}
