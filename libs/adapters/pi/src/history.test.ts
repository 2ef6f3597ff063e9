import { expect, test } from 'vitest';
import { wholeHistory } from './history.js';
import type { Entry, PiMessage } from './pi.js';

const asked = (content: string): PiMessage => ({ role: 'user', content, timestamp: 1 });
const entryOf = (id: string, content: string): Entry => ({ type: 'message', id, message: asked(content) });
const summary: PiMessage = { role: 'compactionSummary', summary: 'One and two.', timestamp: 2 };
const branch: Entry[] = [
  entryOf('e1', 'one'),
  { type: 'model_change', id: 'e2' },
  { type: 'custom_message', id: 'e3', content: 'of an extension' },
  { type: 'branch_summary', id: 'e4', summary: 'another way' },
  entryOf('e5', 'two'),
  { type: 'compaction', id: 'e6', summary: 'One and two.', firstKeptEntryId: 'e5' },
  entryOf('e7', 'three'),
];

test('what a compaction took out comes back in place of its summary', () => {
  const system = { role: 'system', content: 'Be brief.', timestamp: 0 };
  expect(wholeHistory([system, summary, asked('two'), asked('three')], branch)).toEqual([
    asked('one'),
    { role: 'custom', content: 'of an extension', timestamp: 0 },
    { role: 'branchSummary', summary: 'another way', timestamp: 0 },
    asked('two'),
    asked('three'),
  ]);
});

test('a compaction that keeps nothing leaves all before it to the history', () => {
  const whole = branch.map((entry) =>
    entry.type === 'compaction' ? { ...entry, firstKeptEntryId: null } : entry,
  );
  expect(wholeHistory([summary, asked('three')], whole).map(({ content }) => content)).toEqual([
    'one',
    'of an extension',
    undefined,
    'two',
    'three',
  ]);
});

test('messages without a compaction stay as they are', () => {
  const messages = [asked('one'), asked('two')];
  expect(wholeHistory(messages, branch.slice(0, 5))).toEqual(messages);
});
