import { expect, test } from 'vitest';
import { ProjectShare } from './project-share.js';

/** Whether a promise is settled. */
const settled = async (promise: Promise<void>) =>
  Promise.race([promise.then(() => true), new Promise((resolve) => setImmediate(() => resolve(false)))]);

test('a project that holds its share waits, and another project does not', async () => {
  const share = new ProjectShare(2, 60_000);
  await share.enter('a');
  await share.enter('a');
  const third = share.enter('a');
  const fourth = share.enter('a');
  expect(await settled(third)).toBe(false);
  expect(await settled(share.enter('b'))).toBe(true);
  share.leave('a');
  expect([await settled(third), await settled(fourth)]).toEqual([true, false]);
  share.leave('a');
  expect(await settled(fourth)).toBe(true);
  share.leave('a');
  share.leave('a');
  expect(await settled(share.enter('a'))).toBe(true);
});

test('who waits too long is refused as the pool refuses, and takes no place', async () => {
  const share = new ProjectShare(1, 1);
  await share.enter('a');
  await expect(share.enter('a')).rejects.toThrow('timeout exceeded when trying to connect');
  share.leave('a');
  expect(await settled(share.enter('a'))).toBe(true);
});
