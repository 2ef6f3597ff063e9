import { expect, test } from 'vitest';
import { createSpillway } from './index.js';

test('a step of version 6 of the AI SDK is refused before anything is sent', async () => {
  const thread = createSpillway({ baseUrl: 'http://127.0.0.1:9', key: 'unused' }).thread('six');
  const step = { stepNumber: 0, model: 'm', instructions: 'i', messages: [], steps: [] };
  await expect(thread.prepareStep(step)).rejects.toThrow('needs version 7 of the AI SDK');
});
