/**
 * An agent over the OpenAI SDK (Responses), with its thread in Spillway. Set SPILLWAY_URL, SPILLWAY_KEY and
 * OPENAI_API_KEY.
 */
import { Spillway } from '@spillway/client';
import OpenAI from 'openai';
import { listOrders, listOrdersTool } from './orders.ts';

const spillway = new Spillway({ baseUrl: process.env.SPILLWAY_URL!, key: process.env.SPILLWAY_KEY! });
const openai = new OpenAI();
const model = 'gpt-4o-mini';
const ownTools = [{ type: 'function' as const, strict: false, ...listOrdersTool }];

const thread = spillway.thread(process.argv[2] ?? 'orders', { format: 'responses' });
await thread.put({ model, system: 'You answer questions about orders.', tools: ownTools });

const next = { tools: true, wait: 200 };
const question = { type: 'message', role: 'user', content: process.argv[3] ?? 'Which order is damaged?' };
let { context } = await thread.append(question, { context: next });
while (context) {
  const { output, output_text, usage } = await openai.responses.create({
    model,
    instructions: context.system,
    input: context.messages as unknown as OpenAI.Responses.ResponseInput,
    tools: [...ownTools, ...(context.tools as unknown as OpenAI.Responses.FunctionTool[])],
    store: false,
  });
  await thread.append(output, { usage, fingerprint: context.fingerprint });
  const calls = output.filter((item) => item.type === 'function_call');
  if (calls.length === 0) {
    console.log(output_text);
    break;
  }
  const results = calls.map(async ({ call_id, name, arguments: args }) => ({
    type: 'function_call_output',
    call_id,
    output: name === 'list_orders' ? listOrders() : (await thread.runTool(name, args)).text,
  }));
  ({ context } = await thread.append(await Promise.all(results), { context: next }));
}
