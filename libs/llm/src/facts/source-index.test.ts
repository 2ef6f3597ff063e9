import { userMessage } from '@spillway/engine';
import { expect, test } from 'vitest';
import { seqMessage } from '../summarizer.js';
import { factsIn } from './facts-in.js';
import { SourceIndex } from './source-index.js';
import { statementsOf } from './statements.js';

const thread = [
  'Please book a flight to Lisbon for mia_li_3668.',
  'Searching flights.',
  'The cheapest is HAT271 and leaves in the morning.',
  'Good. Also a vegetarian meal please.',
  'Done: the booking reference is ZX81QQ.',
  'Thanks, now the hotel near the harbour.',
  'There are three of them.',
];

function sourcesOf(fields: Record<string, string>) {
  const index = new SourceIndex(statementsOf(fields), thread.length);
  thread.forEach((text, i) => {
    const message = seqMessage(i + 1, userMessage(text));
    index.add(message, factsIn(message));
  });
  return index.sources();
}

test('a statement comes from the messages that share its identifiers and rare words', () => {
  const sources = sourcesOf({
    task_overview: 'Book a flight to Lisbon with a vegetarian meal.',
    current_state: '- HAT271 is booked as ZX81QQ for mia_li_3668',
  });
  expect(sources.map(({ basis, seqs }) => [basis, [...seqs].sort()])).toEqual([
    ['matched', [1, 4]],
    ['matched', [1, 3, 5]],
  ]);
});

test('what it cites comes first', () => {
  expect(sourcesOf({ a: 'The user wants HAT271 [4].' })).toMatchObject([{ basis: 'cited', seqs: [4] }]);
});

test('an invention has no source, and a few common words are not judged', () => {
  expect(sourcesOf({ a: 'The customer complained about refunds from Ryanair QX9000.\nNone.' })).toMatchObject(
    [
      { basis: 'none', seqs: [] },
      { basis: 'unclear', seqs: [] },
    ],
  );
});

test('statements are items of lists and sentences, with their places in the field', () => {
  const long = `${'One thing happened. '.repeat(15)}The end.`;
  const field = `- [1] an item. With two sentences.\n\n${long}`;
  const statements = statementsOf({ field });
  expect(statements).toHaveLength(17);
  for (const { start, text } of statements) expect(field.slice(start, start + text.length)).toBe(text);
});
