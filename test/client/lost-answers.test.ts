// @module-tag long
import { AgentThreads } from '@spillway/client/agent';
import { apiOf } from '@spillway/testing';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
beforeAll(async () => {
  stack = await borrowedStack('whole');
});

interface Turn {
  /** Messages that the caller takes out of the end of its history. */
  back: number;
  text: string;
  /** What becomes of the requests of this turn: the first ones, in order. Those after them pass. */
  network: ('passes' | 'loses the request' | 'loses the answer')[];
}

const turns = fc.array(
  fc.record<Turn>({
    back: fc.nat(2),
    // Texts repeat, so that a place in the history is not told by a text alone.
    text: fc.oneof(fc.constant('yes'), fc.uuid()),
    network: fc.array(fc.constantFrom('passes', 'loses the request', 'loses the answer'), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
  { minLength: 1, maxLength: 8 },
);

let runs = 0;

test('whatever answers are lost and wherever the caller goes back to, the thread has its history', () =>
  fc.assert(
    fc.asyncProperty(turns, async (all) => {
      const id = `lossy-${runs++}`;
      let network: Turn['network'] = [];
      const lossy = async (url: string, init: RequestInit) => {
        const now = network.shift() ?? 'passes';
        if (now === 'loses the request') throw new TypeError('The connection was refused.');
        const answer = await fetch(url, init);
        if (now === 'loses the answer') throw new TypeError('The connection was reset.');
        return answer;
      };
      const agent = new AgentThreads('openai', {
        ...{ baseUrl: stack.url, key: stack.key, fetch: lossy },
        ...{ waitMs: 0, maxRetries: 0, pauseMs: 0, log: () => undefined },
      }).thread(id);
      // A changed first message is another conversation, so that one stays.
      let history = [{ role: 'user', content: 'Begin.' }];
      const say = (content: string) => {
        history = [...history, { role: history.length % 2 ? 'assistant' : 'user', content }];
      };
      for (const { back, text, network: next } of all) {
        history = history.slice(0, Math.max(1, history.length - back));
        say(text);
        network = [...next];
        const context = await agent.context({ history });
        if (context) expect(context.messages).toEqual(history);
      }
      network = [];
      say('The end.');
      await agent.context({ history });
      expect((await apiOf(stack).context(id)).messages).toEqual(history);
    }),
    { numRuns: 40 },
  ));
