/**
 * The tool runner of Anthropic's SDK with its adapter, and its thread in Spillway. Set SPILLWAY_URL, SPILLWAY_KEY and
 * ANTHROPIC_API_KEY.
 */
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { createSpillway } from '@spillway/anthropic';
import { listOrders, listOrdersTool } from './orders.ts';

const spillway = createSpillway({ baseUrl: process.env.SPILLWAY_URL!, key: process.env.SPILLWAY_KEY! });
const anthropic = new Anthropic({ middleware: [spillway.middleware] });
const { parameters: inputSchema, ...named } = listOrdersTool;
const ownTool = betaTool({ ...named, inputSchema, run: () => listOrders() });

const thread = spillway.thread(process.argv[2] ?? 'orders');
const { content } = await anthropic.beta.messages.toolRunner(
  {
    model: 'claude-sonnet-5',
    max_tokens: 4_096,
    system: 'You answer questions about orders.',
    messages: [{ role: 'user', content: process.argv[3] ?? 'Which order is damaged?' }],
    tools: thread.tools([ownTool]),
    thread: false,
  },
  thread.options,
);
console.log(content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
