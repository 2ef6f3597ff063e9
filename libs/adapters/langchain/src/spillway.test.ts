import { AIMessage, SystemMessage } from 'langchain';
import { expect, test } from 'vitest';
import { createSpillway } from './index.js';

test('a run without a thread is refused before anything is sent', async () => {
  const { middleware } = createSpillway({ baseUrl: 'http://127.0.0.1:9', key: 'unused' });
  const request = { messages: [], model: {}, systemMessage: new SystemMessage(''), tools: [], runtime: {} };
  const call = middleware.wrapModelCall!(request as never, () => new AIMessage('unreachable'));
  await expect(call).rejects.toThrow('configurable: { thread_id }');
});
