import { apiOf, until } from '@spillway/testing';
import { expect } from 'vitest';
import type { BorrowedStack } from '../borrowed-stack.js';

/** Threads of what is rare: an erased message, a picture, a pin, an open call, a huge text; one empty, one parked. */
export async function writeOddThreads(stack: BorrowedStack): Promise<void> {
  const api = apiOf(stack);
  const picture = `data:image/png;base64,${Buffer.alloc(30_000, 7).toString('base64')}`;
  const call = { id: 'c1', type: 'function', function: { name: 'sh', arguments: '{"cmd":"ls"}' } };
  await api.append(
    'odd',
    { role: 'user', content: 'a secret to be erased' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: picture } },
      ],
    },
    { role: 'user', content: 'never push to main', pinned: true },
    { role: 'user', content: `start ${'x'.repeat(150_000)} end` },
    { role: 'assistant', content: null, tool_calls: [call] },
  );
  await api.call('DELETE', '/v1/threads/odd/messages/1');
  await api.createThread({ id: 'empty' });
  // Over the trigger of 7,114 tokens, within the limit of 7,904.
  const system = 'word '.repeat(7_400);
  await api.createThread({ id: 'stuck', system, policy: { context: { context_window: 12_000 } } });
  await api.append('stuck', { role: 'user', content: 'hello' });
  await until('it is parked', async () => (await api.thread('stuck')).compaction.state === 'parked');
}

/** Why the parked thread is stuck, as its page must say it, with the API's numbers. */
export async function whyStuck(stack: BorrowedStack): Promise<RegExp> {
  const { compaction, trigger_tokens: trigger } = await apiOf(stack).thread('stuck');
  const { fixed_tokens: fixed, smallest_window: window } = compaction.detail!;
  expect(fixed).toBeGreaterThan(trigger);
  const [needs, over, raised] = [fixed, trigger, window!].map((tokens) => tokens.toLocaleString('en-US'));
  return new RegExp(
    `Fixed content needs ${needs} tokens; trigger is ${over}\\. Raise the window to at least ${raised}`,
  );
}
