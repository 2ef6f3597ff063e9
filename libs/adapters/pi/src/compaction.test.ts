import type { Context } from '@spillway/client';
import { expect, test } from 'vitest';
import { compactionOf } from './compaction.js';
import type { Entry } from './pi.js';

const entryOf = (id: string, content: string): Entry => ({
  type: 'message',
  id,
  message: { role: 'user', content, timestamp: 1 },
});
const entries: Entry[] = [
  entryOf('e1', 'one'),
  { type: 'model_change', id: 'e2' },
  entryOf('e3', 'two'),
  entryOf('e4', 'three'),
];
const summary = { role: 'user', content: 'Summary: one.' };
const two = { role: 'user', content: [{ type: 'text', text: 'two' }] };
const part = (kind: Context['parts'][number]['kind'], seq: number | null) => ({ kind, seq, tokens: 1 });

test('a compaction has the summary, and keeps what the context shows behind it', () => {
  const messages = [summary, { role: 'assistant', content: 'Noted.' }, two];
  const parts = [part('system', null), part('summary', null), part('note', null), part('recent', 2)];
  expect(compactionOf({ messages, parts }, entries, 900)).toEqual({
    summary: 'Summary: one.',
    firstKeptEntryId: 'e3',
    tokensBefore: 900,
  });
});

test('a thread without a summary makes no compaction', () => {
  expect(compactionOf({ messages: [two], parts: [part('recent', 2)] }, entries, 900)).toBeNull();
});

test('a session that lacks the message behind the summary makes no compaction', () => {
  const messages = [summary, { role: 'user', content: 'elsewhere' }];
  const parts = [part('summary', null), part('recent', 2)];
  expect(compactionOf({ messages, parts }, entries, 900)).toBeNull();
});
