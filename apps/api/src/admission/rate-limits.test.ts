import { expect, test } from 'vitest';
import { RateLimits } from './rate-limits.js';

const refused = { code: 'too_many_requests' };

test('a key that sends too many requests is refused, and another key is not', async () => {
  const limits = new RateLimits({ requests: 5, expensive: 5 });
  const sent = await Promise.allSettled(Array.from({ length: 8 }, () => limits.count('a', false)));
  const reasons = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  expect(reasons).toMatchObject([refused, refused, refused]);
  await expect(limits.count('b', false)).resolves.toBeUndefined();
});

test('expensive requests have a limit of their own', async () => {
  const limits = new RateLimits({ requests: 100, expensive: 2 });
  for (let n = 0; n < 2; n++) await limits.count('a', true);
  await expect(limits.count('a', true)).rejects.toMatchObject(refused);
  await expect(limits.count('a', false)).resolves.toBeUndefined();
});

test('a limit of 0 is none', async () => {
  const limits = new RateLimits({ requests: 0, expensive: 0 });
  const counted = Promise.all(Array.from({ length: 100 }, () => limits.count('a', true)));
  await expect(counted).resolves.toHaveLength(100);
});

test('a key runs four heavy requests at a time, and ending one twice frees one place', () => {
  const limits = new RateLimits({ requests: 0, expensive: 0 });
  const [end] = Array.from({ length: 4 }, () => limits.beginHeavy('a'));
  expect(() => limits.beginHeavy('a')).toThrow(expect.objectContaining(refused) as Error);
  limits.beginHeavy('b');
  end!();
  end!();
  limits.beginHeavy('a');
  expect(() => limits.beginHeavy('a')).toThrow(expect.objectContaining(refused) as Error);
});
