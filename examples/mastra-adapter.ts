/**
 * An agent over Mastra and its adapter, with its thread in Spillway. Set SPILLWAY_URL, SPILLWAY_KEY, OPENAI_API_KEY and
 * OPENAI_BASE_URL.
 */
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { createSpillway } from '@spillway/mastra';
import { listOrders, listOrdersTool } from './orders.ts';

const spillway = createSpillway({ baseUrl: process.env.SPILLWAY_URL!, key: process.env.SPILLWAY_KEY! });
const { name, description, parameters } = listOrdersTool;
const ownTool = createTool({
  id: name,
  description,
  inputSchema: parameters,
  execute: () => Promise.resolve(listOrders()),
});

const agent = new Agent({
  id: 'orders',
  name: 'Orders',
  instructions: 'You answer questions about orders.',
  model: {
    id: 'provider/gpt-4o-mini',
    url: process.env.OPENAI_BASE_URL!,
    apiKey: process.env.OPENAI_API_KEY!,
  },
  tools: { [name]: ownTool },
  ...spillway.processors,
});
const prompt = process.argv[3] ?? 'Which order is damaged?';
const { text } = await agent.generate([{ role: 'user', content: prompt }], {
  memory: { thread: process.argv[2] ?? 'orders', resource: 'examples' },
});
console.log(text);
