import { ChatOpenAI } from '@langchain/openai';
import { createSpillway } from '@spillway/langchain';
import { createAgent, tool, type BaseMessage } from 'langchain';
import type { Driver } from './driver.js';

/** LangChain's agent over OpenAI chat. The caller keeps the list of messages. */
export const langchain: Driver = {
  adapter: 'langchain',
  messagesOf: (page) => (page as BaseMessage[]).flatMap(chatMessage),
  start(options) {
    const spillway = createSpillway(options.spillway);
    const listOrders = tool(() => options.listOrders(), {
      name: 'list_orders',
      description: 'Lists all orders.',
      schema: { type: 'object', properties: { n: { type: 'number' } } },
    });
    const agent = createAgent({
      model: new ChatOpenAI({
        model: options.model,
        apiKey: 'sk-test',
        maxRetries: 0,
        configuration: { baseURL: `${options.providerUrl}/v1` },
      }),
      tools: [listOrders],
      systemPrompt: options.instructions,
      middleware: [spillway.middleware],
    });
    return {
      get status() {
        return spillway.status;
      },
      async ask(id, page, question, { stream = false, signal } = {}) {
        const input = { messages: [...(page as BaseMessage[]), { role: 'user', content: question }] };
        const config = {
          configurable: { thread_id: id },
          recursionLimit: 5 * options.maxSteps,
          ...(signal ? { signal } : {}),
        };
        let messages: BaseMessage[] = [];
        if (stream) {
          const chunks = await agent.stream(input, { ...config, streamMode: ['values', 'messages'] });
          for await (const [mode, chunk] of chunks)
            if (mode === 'values') messages = (chunk as { messages: BaseMessage[] }).messages;
        } else ({ messages } = await agent.invoke(input, config));
        return { text: messages.at(-1)!.text, page: messages };
      },
    };
  },
};

/** A message as OpenAI chat has it, as far as a transcript looks at it. */
function chatMessage(message: BaseMessage): object[] {
  const { tool_calls: calls = [] } = message as { tool_calls?: { name: string }[] };
  const roles: Record<string, string> = { human: 'user', ai: 'assistant', tool: 'tool' };
  return [
    {
      role: roles[message.type],
      content: message.text,
      tool_calls: calls.map(({ name }) => ({ type: 'function', function: { name } })),
    },
  ];
}
