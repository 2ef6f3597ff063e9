import { MessageList } from '@mastra/core/agent';
import { expect, test } from 'vitest';
import { createSpillway } from './index.js';

test('a run without a thread is refused before anything is sent', async () => {
  const { processor } = createSpillway({ baseUrl: 'http://127.0.0.1:9', key: 'unused' });
  const request = { prompt: [], messageList: new MessageList(), model: {}, state: {}, steps: [] };
  await expect(processor.processLLMRequest(request as never)).rejects.toThrow('memory: { thread, resource }');
});
