/**
 * A streamed chat of Google's Gen AI SDK, which runs the functions itself, and its thread in Spillway. Set SPILLWAY_URL,
 * SPILLWAY_KEY and GEMINI_API_KEY.
 */
import { GoogleGenAI } from '@google/genai';
import { createSpillway } from '@spillway/google-genai';

const { SPILLWAY_URL: baseUrl = 'http://localhost:4000', SPILLWAY_KEY: key = '' } = process.env;
const thread = createSpillway({ baseUrl, key }).thread(process.argv[2] ?? 'orders');
const orders = () =>
  Array.from({ length: 2_000 }, (_, i) => `order-${i} ${i === 1_234 ? 'damaged' : 'shipped'}`).join('\n');
const listOrders = {
  tool: () =>
    Promise.resolve({ functionDeclarations: [{ name: 'list_orders', description: 'Lists all orders.' }] }),
  callTool: (calls) =>
    Promise.resolve(
      calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { output: orders() } } })),
    ),
};

const ai = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY });
const chat = ai.chats.create({
  model: 'gemini-2.5-flash',
  config: thread.config({
    systemInstruction: 'You answer questions about orders.',
    tools: [listOrders],
  }),
});
const message = process.argv[3] ?? 'Which order is damaged?';
for await (const { candidates } of await chat.sendMessageStream({ message }))
  for (const { text } of candidates?.[0]?.content?.parts ?? []) if (text) process.stdout.write(text);
console.log();
