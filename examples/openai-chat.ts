/**
 * An agent over the OpenAI SDK (chat completions), with its thread in Spillway. Set SPILLWAY_URL, SPILLWAY_KEY and
 * OPENAI_API_KEY; OPENAI_BASE_URL for another provider.
 */
import { Spillway } from '@spillway/client';
import OpenAI from 'openai';
import { listOrders, listOrdersTool } from './orders.ts';

const spillway = new Spillway({ baseUrl: process.env.SPILLWAY_URL!, key: process.env.SPILLWAY_KEY! });
const openai = new OpenAI();
const model = 'gpt-4o-mini';
const ownTools = [{ type: 'function' as const, function: listOrdersTool }];

const thread = spillway.thread(process.argv[2] ?? 'orders', { format: 'openai' });
await thread.put({ model, system: 'You answer questions about orders.', tools: ownTools });

const next = { tools: true, wait: 200 };
const question = { role: 'user', content: process.argv[3] ?? 'Which order is damaged?' };
let { context } = await thread.append(question, { context: next });
while (context) {
  const { choices, usage } = await openai.chat.completions.create({
    model,
    messages: [
      { role: 'system', content: context.system ?? '' },
      ...(context.messages as unknown as OpenAI.ChatCompletionMessageParam[]),
    ],
    tools: [...ownTools, ...(context.tools as unknown as OpenAI.ChatCompletionTool[])],
  });
  const { message } = choices[0]!;
  await thread.append(message, { usage, fingerprint: context.fingerprint });
  const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function');
  if (calls.length === 0) {
    console.log(message.content);
    break;
  }
  const results = calls.map(async ({ id, function: { name, arguments: args } }) => ({
    role: 'tool',
    tool_call_id: id,
    content: name === 'list_orders' ? listOrders() : (await thread.runTool(name, args)).text,
  }));
  ({ context } = await thread.append(await Promise.all(results), { context: next }));
}
