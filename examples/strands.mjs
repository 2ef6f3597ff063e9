/**
 * An agent of the Strands Agents SDK, with its thread in Spillway. Set SPILLWAY_URL, SPILLWAY_KEY, OPENAI_API_KEY and
 * OPENAI_BASE_URL.
 */
import { Agent, InvokeModelStage, Message, tool } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { createSpillway } from '@spillway/strands';

const { SPILLWAY_URL: baseUrl = 'http://localhost:4000', SPILLWAY_KEY: key = '' } = process.env;
const spillway = createSpillway({ baseUrl, key, sdk: { InvokeModelStage, Message, tool } });
const listOrders = tool({
  name: 'list_orders',
  description: 'Lists all orders.',
  inputSchema: { type: 'object', properties: {} },
  callback: () =>
    Array.from({ length: 2_000 }, (_, i) => `order-${i} ${i === 1_234 ? 'damaged' : 'shipped'}`).join('\n'),
});
const agent = new Agent({
  model: new OpenAIModel({ modelId: 'gpt-4o-mini' }),
  systemPrompt: 'You answer questions about orders.',
  tools: [listOrders],
  plugins: [spillway.plugin(process.argv[2] ?? 'orders')],
  printer: false,
});
const { lastMessage } = await agent.invoke(process.argv[3] ?? 'Which order is damaged?');
for (const block of lastMessage.content) if (block.type === 'textBlock') console.log(block.text);
