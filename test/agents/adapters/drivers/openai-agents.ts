import { Agent, OpenAIResponsesModel, Runner, tool } from '@openai/agents';
import { createSpillway } from '@spillway/openai-agents';
import OpenAI from 'openai';
import type { Driver } from './driver.js';

/** The OpenAI Agents SDK over Responses. Its session keeps the conversation, so pages are read from it. */
export const openaiAgents: Driver = {
  adapter: 'openai-agents',
  messagesOf: (page) => [...page],
  start(options) {
    const spillway = createSpillway(options.spillway);
    const client = new OpenAI({ baseURL: `${options.providerUrl}/v1`, apiKey: 'sk-test', maxRetries: 0 });
    const model = new OpenAIResponsesModel(client, options.model);
    const runner = new Runner({ tracingDisabled: true });
    const listOrders = tool({
      name: 'list_orders',
      description: 'Lists all orders.',
      parameters: {
        type: 'object',
        properties: { n: { type: 'number' } },
        required: [],
        additionalProperties: true,
      },
      strict: false,
      execute: () => options.listOrders(),
    });
    const sessionOf = (id: string) => spillway.session(id, { model: options.model });
    return {
      get status() {
        return spillway.status;
      },
      async ask(id, _page, question, { stream = false, signal } = {}) {
        const session = sessionOf(id);
        const agent = new Agent({
          name: 'orders',
          instructions: options.instructions,
          model,
          tools: session.tools([listOrders]),
        });
        const settings = {
          ...(signal ? session.optionsWith(signal) : session.options),
          maxTurns: options.maxSteps,
        };
        const run = async () => {
          if (!stream) return runner.run(agent, question, settings);
          const streamed = await runner.run(agent, question, { ...settings, stream: true });
          await streamed.completed;
          return streamed;
        };
        const { finalOutput } = await run();
        return { text: String(finalOutput), page: await session.getItems() };
      },
      async takeBack(id, _page, count) {
        const session = sessionOf(id);
        for (let i = 0; i < count; i++) await session.popItem();
        return session.getItems();
      },
    };
  },
};
