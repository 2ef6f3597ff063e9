import { createSpillway } from '@spillway/pi';
import { missingFramework } from '../../frameworks/install-framework.js';
import { loadPi, openSession, type Message } from '../../frameworks/pi/session.js';
import type { Driver } from './driver.js';

/** What the driver's own extension uses of pi. */
interface Extension {
  on(event: string, handler: (event: object, context: { abort(): void }) => object | undefined): void;
}

/** pi's agent over OpenAI chat. The page is the branch of its session. */
export const pi: Driver = {
  adapter: 'pi',
  missing: () => missingFramework('pi'),
  messagesOf: (page) => (page as Message[]).map(transcribed),
  start(options) {
    const spillway = createSpillway(options.spillway);
    const listOrders = {
      name: 'list_orders',
      label: 'list_orders',
      description: 'Lists all orders.',
      parameters: { type: 'object', properties: { n: { type: 'number' } } },
      execute: () =>
        Promise.resolve({ content: [{ type: 'text', text: options.listOrders() }], details: {} }),
    };
    return {
      get status() {
        return spillway.status;
      },
      async ask(id, page, question, { signal } = {}) {
        const { SessionManager, folder } = await loadPi();
        const manager = SessionManager.inMemory(folder, { id });
        for (const message of page as Message[]) manager.appendMessage(message);
        const session = await openSession({
          manager,
          extensions: [
            spillway.extension,
            (api: Extension) => {
              api.on('before_agent_start', () => ({ systemPrompt: options.instructions }));
              api.on('turn_start', (_, context) => {
                if (signal?.aborted) context.abort();
                return undefined;
              });
            },
          ],
          providerUrl: options.providerUrl,
          model: options.model,
          contextWindow: 128_000,
          tools: [listOrders],
        });
        const errors: string[] = [];
        const stop = () => void session.abort();
        signal?.addEventListener('abort', stop);
        try {
          await session.bindExtensions({ onError: ({ error }) => errors.push(error) });
          await session.prompt(question);
          if (errors.length > 0) throw new Error(errors.join('\n'));
          const last = session.messages.at(-1)!;
          if (last.stopReason !== 'stop') throw new Error(last.errorMessage ?? String(last.stopReason));
          const messages = session.messages.filter(({ role }) => role !== 'system');
          return { text: textOf(last), page: messages };
        } finally {
          signal?.removeEventListener('abort', stop);
          session.dispose();
        }
      },
    };
  },
};

const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');

function transcribed({ role, content }: Message): object {
  if (role === 'toolResult') return { role: 'tool', content };
  if (typeof content === 'string') return { role, content };
  return {
    role,
    content: content.map((block) => (block.type === 'toolCall' ? { ...block, type: 'tool_call' } : block)),
  };
}
