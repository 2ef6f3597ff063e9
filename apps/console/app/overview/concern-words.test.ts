import type { Schemas } from '@spillway/client';
import { expect, test } from 'vitest';
import { concernWords } from './concern-words';

const concern = (of: Partial<Schemas['Concern']>) =>
  ({
    severity: 'act',
    reason: null,
    count: 2,
    at_least: false,
    thread_ids: [],
    detail: null,
    page: '/',
    ...of,
  }) as Schemas['Concern'];

test('threads that cannot serve a context say so, with the numbers of one of them', () => {
  const detail = {
    fixed_tokens: 20_515,
    limit_tokens: 7_904,
    trigger_tokens: 7_000,
    serves_context: false,
    smallest_window: 25_645,
  };
  const words = concernWords(concern({ kind: 'context_refused', reason: 'irreducible', detail }));
  expect(words.title).toBe('2 threads cannot serve a context: prompt exceeds the limit');
  expect(words.detail).toContain('Fixed content needs 20,515 tokens; limit is 7,904.');
});

test('refusals beyond the threads that were checked are at least so many', () => {
  const { title } = concernWords(concern({ kind: 'context_refused', count: 20, at_least: true }));
  expect(title).toBe('At least 20 threads cannot serve a context: prompt exceeds the limit');
});

test('a summary that waits for a person and a webhook that fails say what follows', () => {
  expect(concernWords(concern({ kind: 'summary_proposed', count: 1 })).title).toBe(
    '1 summary waits for an approval',
  );
  expect(concernWords(concern({ kind: 'summary_proposed' })).title).toBe('2 summaries wait for an approval');
  expect(concernWords(concern({ kind: 'webhook_failing' })).title).toBe('2 webhooks are failing');
});

test('a window that nobody chose says for which models, and where to give them one', () => {
  const of = { kind: 'unknown_model', reason: 'unknown model acme-chat-7; no model', at_least: true };
  const { title, detail, action } = concernWords(concern(of));
  expect(title).toBe('At least 2 threads with a window of 8,192 tokens that nobody chose');
  expect(detail).toMatch(/^Unknown model acme-chat-7; no model\. .* Give the model its window/);
  expect(action).toBe('View models');
});

test('a pause says of what and since when, and how many threads wait for its end', () => {
  const of = { kind: 'compaction_paused', reason: 'all projects, since 2026-11-30T05:00:00.000Z', count: 1 };
  expect(concernWords(concern(of))).toMatchObject({
    title: 'The operator paused the compaction of all projects, since 2026-11-30 05:00:00 UTC',
    detail: expect.stringMatching(/^1 thread waits for its end\./) as string,
  });
  expect(concernWords(concern({ ...of, count: 0 })).detail).toMatch(/^No thread waits/);
});

test('a last admin key says when it expires, and what is lost with it', () => {
  const reason = 'expires at 2026-12-05T05:00:00.000Z';
  const { title, detail, action } = concernWords(
    concern({ kind: 'last_admin_key_expires', reason, count: 1 }),
  );
  expect(title).toBe('The last admin key expires at 2026-12-05 05:00:00 UTC');
  expect(detail).toMatch(/^Without an admin key nobody manages/);
  expect(action).toBe('View keys');
});

test('conversations that are found in no thread say of how many, and what to do', () => {
  const reason = '40 of 52 calls that had an answer in their history';
  const { title, detail } = concernWords(concern({ kind: 'history_not_found', reason, count: 40 }));
  expect(title).toBe('40 conversations were found in no thread');
  expect(detail).toMatch(/^Since yesterday 40 of 52 calls that had an answer in their history\b/);
  expect(detail).toContain('Spillway-Thread');
});

test('a failing model says its error, and whether anything is tried again', () => {
  const failing = concern({ kind: 'model_failing', reason: 'The model failed: 500', count: 13 });
  expect(concernWords(failing, { waiting: 2, next_try_at: '2026-11-30T05:00:00.000Z' })).toMatchObject({
    title: 'The summary model fails: 13 attempts failed',
    detail:
      'The model failed: 500. Contexts are served meanwhile. Attempts are repeated. Check the provider and its settings.',
  });
  expect(concernWords(failing, { waiting: 0, next_try_at: null }).detail).toBe(
    'The model failed: 500. Contexts are served meanwhile. The next compaction tries again. Check the provider and its settings.',
  );
  expect(concernWords(failing, { waiting: 2, next_try_at: null }).detail).toBe(
    'The model failed: 500. Contexts are served meanwhile. No attempt is repeated by itself: correct the key, the model or its address, start the workers again, then retry the parked threads.',
  );
});
