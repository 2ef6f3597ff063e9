import type { Schemas } from '@spillway/client';
import { expect, test } from 'vitest';
import { concernFinding } from './concern-finding.js';

const concern: Schemas['Attention']['concerns'][number] = {
  kind: 'context_refused',
  severity: 'act',
  reason: null,
  count: 20,
  at_least: false,
  thread_ids: ['one', 'two'],
  detail: null,
  page: '/threads',
};

test('a count that was not taken to its end is told as a minimum', () => {
  expect(concernFinding(concern).finding).toMatch(/^20 threads without a context/);
  expect(concernFinding({ ...concern, at_least: true }).finding).toMatch(
    /^At least 20 threads without a context/,
  );
});

test('a window that nobody chose names the models, and where to give them one', () => {
  const reason = 'unknown model acme-chat-7';
  const found = concernFinding({ ...concern, kind: 'unknown_model', reason });
  expect(found.finding).toBe(
    '20 threads with a context window of 8,192 tokens that nobody chose. Reason: unknown model acme-chat-7. For example one, two.',
  );
  expect(found.next).toContain('PUT /v1/models/{name}');
});

test('a kind that this program does not know is told by its name and its page', () => {
  const found = concernFinding({ ...concern, kind: 'moon_full' });
  expect(found).toMatchObject({
    finding: '20: moon full. For example one, two.',
    next: 'The console shows it on /threads.',
  });
});
