/**
 * An agent over the AI SDK (version 7), with its thread in Spillway. Set SPILLWAY_URL, SPILLWAY_KEY, OPENAI_API_KEY and
 * OPENAI_BASE_URL.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Spillway } from '@spillway/client';
import { dynamicTool, isStepCount, jsonSchema, ToolLoopAgent, type ModelMessage } from 'ai';
import { listOrders, listOrdersTool } from './orders.ts';

const spillway = new Spillway({ baseUrl: process.env.SPILLWAY_URL!, key: process.env.SPILLWAY_KEY! });
const provider = createOpenAICompatible({
  name: 'provider',
  baseURL: process.env.OPENAI_BASE_URL!,
  apiKey: process.env.OPENAI_API_KEY!,
});
const model = 'gpt-4o-mini';

const thread = spillway.thread(process.argv[2] ?? 'orders', { format: 'ai-sdk' });
await thread.put({ model, system: 'You answer questions about orders.' });
const { tools: readers } = await thread.tools();
const schemas = [
  listOrdersTool,
  ...readers.map((tool) => ({ ...tool, parameters: tool.inputSchema }) as typeof listOrdersTool),
];
// The tools are sent beside the messages, so the thread counts them.
await thread.put({ tools: schemas });
const tools = Object.fromEntries(
  schemas.map(({ name, description, parameters }) => [
    name,
    dynamicTool({
      description,
      inputSchema: jsonSchema(parameters),
      execute: async (input) =>
        name === 'list_orders'
          ? listOrders()
          : (await thread.runTool(name, input as Record<string, unknown>)).text,
    }),
  ]),
);

// What `prepareStep` returns comes back with the next step, so only what follows it is new.
let known = 0;
let fingerprint: string | undefined;
const agent = new ToolLoopAgent({
  model: provider(model),
  tools,
  stopWhen: isStepCount(20),
  prepareStep: async ({ messages, steps }) => {
    const usage = steps.at(-1)?.usage;
    const { context } = await thread.append(messages.slice(known), {
      usage,
      fingerprint,
      context: { wait: 200 },
    });
    if (!context) return undefined;
    known = context.messages.length;
    fingerprint = context.fingerprint;
    return {
      messages: context.messages as unknown as ModelMessage[],
      instructions: context.system ?? undefined,
    };
  },
});
const prompt = process.argv[3] ?? 'Which order is damaged?';
const { steps, text } = await agent.generate({ messages: [{ role: 'user', content: prompt }] });
// The last answer never reaches `prepareStep`.
const last = steps.at(-1)!;
await thread.append(last.response.messages.slice(-1), { usage: last.usage, fingerprint });
console.log(text);
