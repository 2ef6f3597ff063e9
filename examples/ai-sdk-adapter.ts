/**
 * An agent over the AI SDK (version 7) and its adapter, with its thread in Spillway. Set SPILLWAY_URL, SPILLWAY_KEY,
 * OPENAI_API_KEY and OPENAI_BASE_URL.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createSpillway } from '@spillway/ai-sdk';
import { dynamicTool, isStepCount, jsonSchema, ToolLoopAgent } from 'ai';
import { listOrders, listOrdersTool } from './orders.ts';

const spillway = createSpillway({ baseUrl: process.env.SPILLWAY_URL!, key: process.env.SPILLWAY_KEY! });
const provider = createOpenAICompatible({
  name: 'provider',
  baseURL: process.env.OPENAI_BASE_URL!,
  apiKey: process.env.OPENAI_API_KEY!,
});
const { name, description, parameters } = listOrdersTool;
const ownTools = {
  [name]: dynamicTool({ description, inputSchema: jsonSchema(parameters), execute: () => listOrders() }),
};

const thread = spillway.thread(process.argv[2] ?? 'orders');
const agent = new ToolLoopAgent({
  model: provider('gpt-4o-mini'),
  instructions: 'You answer questions about orders.',
  stopWhen: isStepCount(20),
  tools: thread.tools(ownTools),
  ...thread.hooks,
});
const prompt = process.argv[3] ?? 'Which order is damaged?';
const { text } = await agent.generate({ messages: [{ role: 'user', content: prompt }] });
console.log(text);
