/** An agent over the Anthropic SDK, with its thread in Spillway. Set SPILLWAY_URL, SPILLWAY_KEY and ANTHROPIC_API_KEY. */
import Anthropic from '@anthropic-ai/sdk';
import { Spillway } from '@spillway/client';
import { listOrders, listOrdersTool } from './orders.ts';

const spillway = new Spillway({ baseUrl: process.env.SPILLWAY_URL!, key: process.env.SPILLWAY_KEY! });
const anthropic = new Anthropic();
const model = 'claude-sonnet-5';
const { parameters, ...named } = listOrdersTool;
const ownTools = [{ ...named, input_schema: parameters }];

const thread = spillway.thread(process.argv[2] ?? 'orders', { format: 'anthropic' });
await thread.put({ model, system: 'You answer questions about orders.', tools: ownTools });

const next = { tools: true, wait: 200 };
const question = { role: 'user', content: process.argv[3] ?? 'Which order is damaged?' };
let { context } = await thread.append(question, { context: next });
while (context) {
  const { content, usage } = await anthropic.messages.create({
    model,
    max_tokens: 4_096,
    system: context.system ?? undefined,
    messages: context.messages as unknown as Anthropic.MessageParam[],
    tools: [...ownTools, ...(context.tools as unknown as Anthropic.Tool[])],
  });
  await thread.append({ role: 'assistant', content }, { usage, fingerprint: context.fingerprint });
  const calls = content.filter((block) => block.type === 'tool_use');
  if (calls.length === 0) {
    console.log(content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
    break;
  }
  const results = calls.map(async ({ id, name, input }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content:
      name === 'list_orders'
        ? listOrders()
        : (await thread.runTool(name, input as Record<string, unknown>)).text,
  }));
  // All results of a step are one message of the user.
  const answer = { role: 'user', content: await Promise.all(results) };
  ({ context } = await thread.append(answer, { context: next }));
}
