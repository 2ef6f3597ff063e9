/**
 * An agent of Google's Agent Development Kit, with its session as a thread in Spillway. Set SPILLWAY_URL, SPILLWAY_KEY
 * and GEMINI_API_KEY.
 */
import { FunctionTool, InMemoryRunner, LlmAgent } from '@google/adk';
import { createSpillway } from '@spillway/adk';

const { SPILLWAY_URL: baseUrl = 'http://localhost:4000', SPILLWAY_KEY: key = '' } = process.env;
const spillway = createSpillway({ baseUrl, key });
const listOrders = new FunctionTool({
  name: 'list_orders',
  description: 'Lists all orders.',
  execute: () =>
    Array.from({ length: 2_000 }, (_, i) => `order-${i} ${i === 1_234 ? 'damaged' : 'shipped'}`).join('\n'),
});
const agent = new LlmAgent({
  name: 'orders',
  model: 'gemini-2.5-flash',
  instruction: 'You answer questions about orders.',
  tools: [listOrders],
  ...spillway.callbacks,
});
const runner = new InMemoryRunner({ agent });
const { id: sessionId } = await runner.sessionService.createSession({
  appName: runner.appName,
  userId: 'examples',
  sessionId: process.argv[2],
});
const newMessage = { role: 'user', parts: [{ text: process.argv[3] ?? 'Which order is damaged?' }] };
for await (const { content, errorMessage } of runner.runAsync({
  userId: 'examples',
  sessionId,
  newMessage,
})) {
  if (errorMessage) throw new Error(errorMessage);
  for (const { text } of content?.parts ?? []) if (text) console.log(text);
}
