// @module-tag long
import { apiOf, startStubProvider } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { aiSdkAgent } from './ai-sdk-loop.js';
import { anthropicThinkingAgent } from './anthropic-thinking.js';
import { openaiAgentsAgent } from './openai-agents.js';
import { openaiChatAgent } from './openai-chat.js';
import { SpillwayThread } from './spillway-thread.js';
import { scriptedModel, searchesOfRun, stepsOfTurn, turns } from './scripted-turns.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
beforeAll(async () => {
  stack = await borrowedStack('whole');
});

const agents = [
  { name: 'OpenAI chat', id: 'openai-chat', format: 'openai', start: openaiChatAgent },
  { name: 'Anthropic with thinking', id: 'anthropic', format: 'anthropic', start: anthropicThinkingAgent },
  { name: 'AI SDK tool loop', id: 'ai-sdk', format: 'ai-sdk', start: aiSdkAgent },
  {
    name: 'OpenAI Agents over Responses',
    id: 'openai-agents',
    format: 'responses',
    start: openaiAgentsAgent,
  },
];

test.each(agents)(
  '$name: 66 steps in a window of 16,000 with usage posted: nothing refused, every search finds, at=N is what was served',
  async ({ id, format, start }) => {
    const provider = await startStubProvider({
      model: scriptedModel(),
      contextWindow: 16_000,
      tokenRatio: 1.15,
    });
    try {
      const thread = new SpillwayThread(stack, id, format);
      const ask = await start(thread, provider.url);
      for (let turn = 1; turn <= turns; turn++)
        await ask(`Turn ${turn}: find what breaks the sums, and whom we owe a refund.`);

      expect(provider.refused).toEqual([]);
      expect(provider.accepted).toHaveLength(turns * stepsOfTurn);
      expect([thread.found, thread.searched]).toEqual([searchesOfRun, searchesOfRun]);

      expect(thread.served).toHaveLength(turns * stepsOfTurn);
      for (const served of thread.served) {
        const { messages, system, tokens, last_seq, fingerprint } = served;
        const again = await thread.at(last_seq);
        expect(again, `at=${last_seq}`).toMatchObject({ messages, system, tokens, last_seq, fingerprint });
      }
      const { generation } = (await apiOf(stack).thread(id)).compaction;
      expect(generation).toBeGreaterThan(1);
    } finally {
      await provider.stop();
    }
  },
);
