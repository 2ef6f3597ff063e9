/**
 * An agent over the OpenAI Agents SDK and its adapter, with its session in Spillway. Set SPILLWAY_URL, SPILLWAY_KEY,
 * OPENAI_API_KEY and OPENAI_BASE_URL.
 */
import { Agent, run, setTracingDisabled, tool } from '@openai/agents';
import { createSpillway } from '@spillway/openai-agents';
import { listOrders, listOrdersTool } from './orders.ts';

setTracingDisabled(true);
const spillway = createSpillway({ baseUrl: process.env.SPILLWAY_URL!, key: process.env.SPILLWAY_KEY! });
const { name, description, parameters } = listOrdersTool;
const ownTool = tool({
  name,
  description,
  parameters: { ...parameters, required: [], additionalProperties: true },
  strict: false,
  execute: () => listOrders(),
});

const session = spillway.session(process.argv[2] ?? 'orders');
const agent = new Agent({
  name: 'orders',
  model: 'gpt-4o-mini',
  instructions: 'You answer questions about orders.',
  tools: session.tools([ownTool]),
});
const question = process.argv[3] ?? 'Which order is damaged?';
const { finalOutput } = await run(agent, question, session.options);
console.log(finalOutput);
