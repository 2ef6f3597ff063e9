import { createSpillway, type StrandsSpillway } from '@spillway/strands';
import { missingFramework } from '../../frameworks/install-framework.js';
import { loadStrands, type Agent, type MessageJson, type Result } from '../../frameworks/strands/session.js';
import type { Driver } from './driver.js';

/** An agent of the Strands SDK over the Responses API. The page has its messages. */
export const strands: Driver = {
  adapter: 'strands',
  missing: () => missingFramework('strands'),
  messagesOf: (page) => (page as MessageJson[]).map(transcribed),
  start(options) {
    let spillway: StrandsSpillway<object> | undefined;
    return {
      get status() {
        if (!spillway) throw new Error('No run has begun.');
        return spillway.status;
      },
      async ask(id, page, question, { stream = false, signal } = {}) {
        const sdk = await loadStrands();
        spillway ??= createSpillway({ ...options.spillway, sdk });
        const agent = new sdk.Agent({
          messages: page,
          systemPrompt: options.instructions,
          model: new sdk.OpenAIModel({
            modelId: options.model,
            apiKey: 'sk-test',
            clientConfig: { baseURL: `${options.providerUrl}/v1`, maxRetries: 0 },
          }),
          tools: [
            sdk.tool({
              name: 'list_orders',
              description: 'Lists all orders.',
              inputSchema: { type: 'object', properties: { n: { type: 'number' } } } as never,
              callback: () => Promise.resolve(options.listOrders()),
            }),
          ],
          conversationManager: new sdk.NullConversationManager(),
          plugins: [spillway.plugin(id)],
          retryStrategy: null,
          printer: false,
        });
        const settings = { limits: { turns: options.maxSteps }, ...(signal ? { cancelSignal: signal } : {}) };
        const { lastMessage } = stream
          ? await ended(agent, question, settings)
          : await agent.invoke(question, settings);
        signal?.throwIfAborted();
        const text = lastMessage.toJSON().content.map((block) => block.text ?? '');
        return { text: text.join(''), page: agent.messages.map((message) => message.toJSON()) };
      },
    };
  },
};

async function ended(agent: Agent, question: string, settings: object): Promise<Result> {
  const events = agent.stream(question, settings);
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) return value;
  }
}

function transcribed({ role, content }: MessageJson): object {
  return {
    role,
    content: content.map(({ text, toolUse, toolResult }) => {
      if (toolUse) return { type: 'tool_use', name: toolUse.name };
      return toolResult ? { type: 'tool_result' } : { type: 'text', text };
    }),
  };
}
