import { expect, test } from 'vitest';
import { RateLimits } from './rate-limits.js';

const refused = { code: 'too_many_requests' };
const key = (keyId: string) => ({ keyId, token: null });
const token = (id: string, keyId: string) => ({ keyId, token: { id, threadId: 'x' } });

test('a key that sends too many requests is refused, and another key is not', async () => {
  const limits = new RateLimits({ requests: 5, expensive: 5 });
  const sent = await Promise.allSettled(Array.from({ length: 8 }, () => limits.count(key('a'), false)));
  const reasons = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  expect(reasons).toMatchObject([refused, refused, refused]);
  await expect(limits.count(key('b'), false)).resolves.toBeUndefined();
});

test('expensive requests have a limit of their own', async () => {
  const limits = new RateLimits({ requests: 100, expensive: 2 });
  for (let n = 0; n < 2; n++) await limits.count(key('a'), true);
  await expect(limits.count(key('a'), true)).rejects.toMatchObject(refused);
  await expect(limits.count(key('a'), false)).resolves.toBeUndefined();
});

test('a limit of 0 is none', async () => {
  const limits = new RateLimits({ requests: 0, expensive: 0 });
  const counted = Promise.all(Array.from({ length: 100 }, () => limits.count(key('a'), true)));
  await expect(counted).resolves.toHaveLength(100);
});

test('a key runs four heavy requests at a time, and ending one twice frees one place', () => {
  const limits = new RateLimits({ requests: 0, expensive: 0 });
  const [end] = Array.from({ length: 4 }, () => limits.beginHeavy(key('a')));
  expect(() => limits.beginHeavy(key('a'))).toThrow(expect.objectContaining(refused) as Error);
  limits.beginHeavy(key('b'));
  end!();
  end!();
  limits.beginHeavy(key('a'));
  expect(() => limits.beginHeavy(key('a'))).toThrow(expect.objectContaining(refused) as Error);
});

test('a thread token uses a tenth of the rates of its key, and the key goes on', async () => {
  const limits = new RateLimits({ requests: 20, expensive: 20 });
  for (let n = 0; n < 2; n++) await limits.count(token('t', 'a'), true);
  await expect(limits.count(token('t', 'a'), false)).rejects.toMatchObject(refused);
  await expect(limits.count(token('u', 'a'), true)).resolves.toBeUndefined();
  await expect(limits.count(key('a'), true)).resolves.toBeUndefined();
});

test('thread tokens together use no more than the rate of their key', async () => {
  const limits = new RateLimits({ requests: 20, expensive: 20 });
  for (let n = 0; n < 20; n++) await limits.count(token(`t${n}`, 'a'), false);
  await expect(limits.count(token('late', 'a'), false)).rejects.toMatchObject(refused);
});

test('a thread token runs two heavy requests at a time, and its key four with them', () => {
  const limits = new RateLimits({ requests: 0, expensive: 0 });
  for (let n = 0; n < 2; n++) limits.beginHeavy(token('t', 'a'));
  expect(() => limits.beginHeavy(token('t', 'a'))).toThrow(expect.objectContaining(refused) as Error);
  for (let n = 0; n < 2; n++) limits.beginHeavy(key('a'));
  expect(() => limits.beginHeavy(key('a'))).toThrow(expect.objectContaining(refused) as Error);
});
