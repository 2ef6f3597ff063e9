import { RateLimiterMemory } from 'rate-limiter-flexible';
import { expect, test } from 'vitest';
import { takeOrRefuse } from './take-or-refuse.js';

test('a refusal says when the limit has points again', async () => {
  const began = Date.now();
  const limit = new RateLimiterMemory({ points: 1, duration: 600 });
  await takeOrRefuse(limit, 'a', 'Too many.');
  const refusal: unknown = await takeOrRefuse(limit, 'a', 'Too many.').catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'too_many_requests', message: 'Too many.' });
  const { retryAfterMs } = refusal as { retryAfterMs: number };
  expect(retryAfterMs).toBeGreaterThanOrEqual(600_000 - (Date.now() - began));
  expect(retryAfterMs).toBeLessThanOrEqual(600_000);
});
