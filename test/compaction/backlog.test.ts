import { asService, openStore, readBacklog, type Store } from '@spillway/store';
import { apiOf, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operatorPassword, scrape } from '../operations/scrape.js';

let stack: Stack;
let store: Store;
beforeAll(async () => {
  // Without workers a thread that becomes due stays due.
  stack = await startStack({
    workers: 0,
    redis: false,
    env: { SPILLWAY_OPERATOR_PASSWORD: operatorPassword },
  });
  store = openStore({
    url: stack.databaseUrl,
    maxConnections: 1,
    onError: (error) => expect.unreachable(error.message),
  });
  const api = apiOf({ url: stack.url, key: stack.key });
  await api.createThread({ id: 'due', policy: { context: { context_window: 8_000, trigger_ratio: 0.2 } } });
  for (let i = 0; i < 4; i++)
    await api.append('due', { role: 'user', content: 'All work and no play. '.repeat(100) });
});
afterAll(async () => {
  await store?.close();
  await stack?.stop();
});

const change = (set: string) => rowsOf(stack.databaseUrl, `UPDATE threads SET ${set} RETURNING id`);
const backlog = () => asService(() => readBacklog(store.query));

beforeEach(async () => {
  const due = await change(
    `requested_at = now() - interval '1 hour', next_attempt_at = NULL, lease_until = NULL`,
  );
  expect(due).toEqual([{ id: 'due' }]);
});

const nearlyAnHour = 3_590_000;
const aMinute = 60_000;

test('a thread that no worker takes waits since it became due', async () => {
  const { due, oldestDueMs, oldestBackoffMs } = await backlog();
  expect(due).toBe(1);
  expect(oldestDueMs).toBeGreaterThan(nearlyAnHour);
  expect(oldestBackoffMs).toBeNull();
});

test.each([
  ['whose back-off just ended', `next_attempt_at = now() - interval '1 s'`],
  ['whose worker died, and whose lease just expired', `lease_until = now() - interval '1 s'`],
])('a thread %s waits for a worker since then', async (_, set) => {
  await change(set);
  const { due, oldestDueMs, oldestBackoffMs } = await backlog();
  expect(due).toBe(1);
  expect(oldestDueMs).toBeGreaterThan(0);
  expect(oldestDueMs).toBeLessThan(aMinute);
  expect(oldestBackoffMs).toBeNull();
});

test('a thread in back-off waits for no worker; a scrape says how long its attempts have failed', async () => {
  await change(`next_attempt_at = now() + interval '1 hour'`);
  const { backoff, oldestDueMs, oldestBackoffMs } = await backlog();
  expect(backoff).toBe(1);
  expect(oldestDueMs).toBeNull();
  expect(oldestBackoffMs).toBeGreaterThan(nearlyAnHour);
  const scraped = await until('a scrape shows it', async () => {
    const now = await scrape(stack.url);
    return now.value('spillway_threads', { state: 'backoff' }) === 1 && now;
  });
  expect(scraped.value('spillway_oldest_due_seconds')).toBe(0);
  expect(scraped.value('spillway_oldest_backoff_seconds')).toBeGreaterThan(nearlyAnHour / 1_000);
});
