import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createSpillway } from '@spillway/ai-sdk';
import { dynamicTool, isStepCount, jsonSchema, ToolLoopAgent, type ModelMessage } from 'ai';
import type { Driver } from './driver.js';

/** The AI SDK over OpenAI chat. The caller keeps the list of messages. */
export const aiSdk: Driver = {
  adapter: 'ai-sdk',
  messagesOf: (page) => [...page],
  start(options) {
    const spillway = createSpillway(options.spillway);
    const provider = createOpenAICompatible({
      name: 'stub',
      baseURL: `${options.providerUrl}/v1`,
      apiKey: 'sk-test',
      includeUsage: true,
    });
    const own = {
      list_orders: dynamicTool({
        inputSchema: jsonSchema({ type: 'object', properties: { n: { type: 'number' } } }),
        execute: () => options.listOrders(),
      }),
    };
    return {
      get status() {
        return spillway.status;
      },
      async ask(id, page, question, { stream = false, signal } = {}) {
        const thread = spillway.thread(id, { abortSignal: signal });
        const agent = new ToolLoopAgent({
          model: provider(options.model),
          instructions: options.instructions,
          maxRetries: 0,
          stopWhen: isStepCount(options.maxSteps),
          tools: thread.tools(own),
          ...thread.hooks,
        });
        const messages = [...page, { role: 'user', content: question }] as ModelMessage[];
        const call = { messages, ...(signal ? { abortSignal: signal } : {}) };
        const result = stream ? await agent.stream(call) : await agent.generate(call);
        if ('consumeStream' in result) await result.consumeStream();
        const [text, responseMessages] = await Promise.all([result.text, result.responseMessages]);
        return { text, page: [...messages, ...responseMessages] };
      },
    };
  },
};
