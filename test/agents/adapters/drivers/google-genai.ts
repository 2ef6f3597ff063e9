import { createSpillway } from '@spillway/google-genai';
import { loadGenAi, type Answer, type Content } from '../../frameworks/google-genai/session.js';
import { missingFramework } from '../../frameworks/install-framework.js';
import type { Driver } from './driver.js';

/** A chat of Google's Gen AI SDK, which runs the functions itself. The page has its contents. */
export const googleGenAi: Driver = {
  adapter: 'google-genai',
  missing: () => missingFramework('google-genai'),
  messagesOf: (page) => (page as Content[]).map(transcribed),
  start(options) {
    const spillway = createSpillway(options.spillway);
    return {
      get status() {
        return spillway.status;
      },
      async ask(id, page, question, { stream = false, signal } = {}) {
        const { GoogleGenAI } = await loadGenAi();
        const ai = new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: options.providerUrl } });
        const listOrders = {
          name: 'list_orders',
          description: 'Lists all orders.',
          parametersJsonSchema: { type: 'object', properties: { n: { type: 'number' } } },
        };
        const chat = ai.chats.create({
          model: options.model,
          history: page as Content[],
          config: spillway.thread(id).config({
            systemInstruction: options.instructions,
            automaticFunctionCalling: { maximumRemoteCalls: options.maxSteps },
            tools: [
              {
                tool: () => Promise.resolve({ functionDeclarations: [listOrders] }),
                callTool: (calls) =>
                  Promise.resolve(
                    calls.map(({ id: callId, name }) => ({
                      functionResponse: { id: callId, name, response: { output: options.listOrders() } },
                    })),
                  ),
              },
            ],
            abortSignal: signal,
          }),
        });
        let text = '';
        if (stream)
          for await (const piece of await chat.sendMessageStream({ message: question }))
            text = roleOf(piece) === 'user' ? '' : text + textOf(piece);
        else text = textOf(await chat.sendMessage({ message: question }));
        return { text, page: chat.getHistory() };
      },
    };
  },
};

const contentOf = ({ candidates }: Answer): Content => candidates?.[0]?.content ?? {};
const roleOf = (answer: Answer) => contentOf(answer).role;
const textOf = (answer: Answer): string =>
  (contentOf(answer).parts ?? []).map(({ text }) => text ?? '').join('');

function transcribed({ role, parts = [] }: Content): object {
  const content = parts.map(({ text, functionCall, functionResponse }) => {
    if (functionCall) return { type: 'tool_call', name: functionCall.name };
    return functionResponse ? { type: 'tool_result' } : { type: 'text', text };
  });
  return { role: role === 'model' ? 'assistant' : role, content };
}
