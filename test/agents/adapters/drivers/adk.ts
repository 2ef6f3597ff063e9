import { createSpillway } from '@spillway/adk';
import { loadAdk, type Content, type Event } from '../../frameworks/adk/session.js';
import { missingFramework } from '../../frameworks/install-framework.js';
import type { Driver } from './driver.js';

const user = { appName: 'orders', userId: 'tests' };

/** An agent of Google's kit over Gemini's API. The page has the events of its session. */
export const adk: Driver = {
  adapter: 'adk',
  missing: () => missingFramework('adk'),
  messagesOf: (page) => (page as Event[]).flatMap(({ content }) => (content ? [transcribed(content)] : [])),
  start(options) {
    const spillway = createSpillway(options.spillway);
    return {
      get status() {
        return spillway.status;
      },
      async ask(id, page, question, { stream = false, signal } = {}) {
        const { LlmAgent, Gemini, FunctionTool, InMemorySessionService, Runner, ...kit } = await loadAdk();
        kit.setLogLevel(kit.LogLevel.ERROR);
        const agent = new LlmAgent({
          name: 'orders',
          model: new Gemini({ model: options.model, apiKey: 'test' }),
          instruction: options.instructions,
          // Alone: the kit adds nothing to its instruction.
          disallowTransferToParent: true,
          disallowTransferToPeers: true,
          tools: [
            new FunctionTool({
              name: 'list_orders',
              description: 'Lists all orders.',
              parameters: { type: 'OBJECT', properties: { n: { type: 'NUMBER' } } },
              execute: () => options.listOrders(),
            }),
          ],
          generateContentConfig: { httpOptions: { baseUrl: options.providerUrl } },
          ...spillway.callbacks,
        });
        const sessionService = new InMemorySessionService();
        const where = { ...user, sessionId: id };
        const session = await sessionService.createSession(where);
        for (const event of page as Event[]) await sessionService.appendEvent({ session, event });
        const runner = new Runner({ appName: user.appName, agent, sessionService });
        const run = runner.runAsync({
          userId: user.userId,
          sessionId: id,
          newMessage: { role: 'user', parts: [{ text: question }] },
          runConfig: {
            maxLlmCalls: options.maxSteps,
            ...(stream ? { streamingMode: kit.StreamingMode.SSE } : {}),
          },
          ...(signal ? { abortSignal: signal } : {}),
        });
        let text = '';
        for await (const { partial, content, errorMessage } of run) {
          if (errorMessage !== undefined) throw new Error(errorMessage);
          if (!partial) text = textOf(content);
        }
        signal?.throwIfAborted();
        return { text, page: (await sessionService.getSession(where))!.events };
      },
    };
  },
};

const textOf = ({ parts = [] }: Content = {}): string => parts.map(({ text }) => text ?? '').join('');

function transcribed({ role, parts = [] }: Content): object {
  const content = parts.map(({ text, functionCall, functionResponse }) => {
    if (functionCall) return { type: 'tool_call', name: functionCall.name };
    return functionResponse ? { type: 'tool_result' } : { type: 'text', text };
  });
  return { role: role === 'model' ? 'assistant' : role, content };
}
