import { apiOf, rowsOf, startStack, sweepNow, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { image } from '../threads/backup-lines.js';
import { lockHolder } from './lock-holder.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
});
afterAll(() => stack?.stop());

test.each(['erased first', 'posted first'])(
  'an image of a message that is erased while another one posts it stays: %s',
  async (order) => {
    const api = apiOf(stack);
    const id = order.replace(' ', '-');
    const shown = { role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] };
    await api.append(id, shown);
    const holder = await lockHolder(stack.databaseUrl);
    try {
      await holder.holdThread(id);
      const erase = () => api.call('DELETE', `/v1/threads/${id}/messages/1`);
      const post = () => api.append(id, shown);
      const [first, second] = order === 'erased first' ? [erase, post] : [post, erase];
      const one = first();
      await holder.untilWaiting(1);
      const other = second();
      await holder.untilWaiting(2);
      await holder.release();
      await Promise.all([one, other]);
    } finally {
      await holder.close();
    }
    expect((await api.originals(id))[0]).toMatchObject({ content: '[This message was erased.]' });
    await rowsOf(stack.databaseUrl, `UPDATE media SET touched_at = now() - interval '2 hours'`);
    await sweepNow(stack);
    expect((await api.originals(id)).at(-1)).toEqual(shown);
    // Once both are erased, it goes.
    expect((await api.call('DELETE', `/v1/threads/${id}/messages/2`)).status).toBe(204);
    await sweepNow(stack);
    expect(await rowsOf(stack.databaseUrl, 'SELECT sha256 FROM media')).toEqual([]);
  },
);
