import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { createSpillway } from '@spillway/mastra';
import type { ModelMessage } from 'ai';
import type { Driver } from './driver.js';

/** Mastra's agent over OpenAI chat, without a memory of its own. The caller keeps the list of messages. */
export const mastra: Driver = {
  adapter: 'mastra',
  messagesOf: (page) => [...page],
  start(options) {
    const spillway = createSpillway(options.spillway);
    const listOrders = createTool({
      id: 'list_orders',
      description: 'Lists all orders.',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      execute: () => Promise.resolve(options.listOrders()),
    });
    const agent = new Agent({
      id: 'orders',
      name: 'orders',
      instructions: options.instructions,
      model: { id: `stub/${options.model}`, url: `${options.providerUrl}/v1`, apiKey: 'sk-test' },
      maxRetries: 0,
      tools: { list_orders: listOrders },
      ...spillway.processors,
    });
    return {
      get status() {
        return spillway.status;
      },
      async ask(id, page, question, { stream = false, signal } = {}) {
        const messages = [...page, { role: 'user', content: question }] as ModelMessage[];
        const settings = {
          memory: { thread: id, resource: 'tests' },
          maxSteps: options.maxSteps,
          ...(signal ? { abortSignal: signal } : {}),
        };
        const result = stream
          ? await agent.stream(messages, settings)
          : await agent.generate(messages, settings);
        const [text, response] = await Promise.all([result.text, result.response]);
        signal?.throwIfAborted();
        return { text, page: [...messages, ...(response.messages ?? [])] };
      },
    };
  },
};
