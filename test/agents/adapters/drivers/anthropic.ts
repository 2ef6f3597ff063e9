import { Anthropic } from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { createSpillway } from '@spillway/anthropic';
import type { Driver } from './driver.js';

/** The tool runner of Anthropic's SDK over Messages. The caller keeps the list of messages. */
export const anthropic: Driver = {
  adapter: 'anthropic',
  messagesOf: (page) => [...page],
  start(options) {
    const spillway = createSpillway(options.spillway);
    const client = new Anthropic({
      baseURL: options.providerUrl,
      apiKey: 'sk-test',
      maxRetries: 0,
      middleware: [spillway.middleware],
    });
    const listOrders = betaTool({
      name: 'list_orders',
      description: 'Lists all orders.',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      run: () => options.listOrders(),
    });
    return {
      get status() {
        return spillway.status;
      },
      async ask(id, page, question, { stream = false, signal } = {}) {
        const thread = spillway.thread(id);
        const messages = [...page, { role: 'user', content: question }] as Anthropic.Beta.BetaMessageParam[];
        const runner = client.beta.messages.toolRunner(
          {
            model: options.model,
            max_tokens: 500,
            system: options.instructions,
            messages,
            tools: thread.tools([listOrders]),
            max_iterations: options.maxSteps,
            thread: false,
            stream,
          },
          { ...thread.options, ...(signal ? { signal } : {}) },
        );
        const { content } = await runner;
        const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
        return { text, page: [...runner.params.messages] };
      },
    };
  },
};
