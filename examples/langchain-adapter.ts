/**
 * An agent over LangChain and its adapter, with its thread in Spillway. Set SPILLWAY_URL, SPILLWAY_KEY, OPENAI_API_KEY
 * and OPENAI_BASE_URL.
 */
import { ChatOpenAI } from '@langchain/openai';
import { createSpillway } from '@spillway/langchain';
import { createAgent, tool } from 'langchain';
import { listOrders, listOrdersTool } from './orders.ts';

const spillway = createSpillway({ baseUrl: process.env.SPILLWAY_URL!, key: process.env.SPILLWAY_KEY! });
const { name, description, parameters } = listOrdersTool;
const agent = createAgent({
  model: new ChatOpenAI({ model: 'gpt-4o-mini' }),
  tools: [tool(() => listOrders(), { name, description, schema: parameters })],
  systemPrompt: 'You answer questions about orders.',
  middleware: [spillway.middleware],
});
const question = process.argv[3] ?? 'Which order is damaged?';
const { messages } = await agent.invoke(
  { messages: [{ role: 'user', content: question }] },
  { configurable: { thread_id: process.argv[2] ?? 'orders' } },
);
console.log(messages.at(-1)!.text);
