import { readdirSync, readFileSync } from 'node:fs';
import { readMessage } from '../formats/formats.js';
import { userMessage } from '../messages/message.js';
import { describe, expect, test } from 'vitest';
import { seqMessage } from '../messages/seq-message.js';
import { extractSummary } from '../extractive/extractive.js';
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

test('a value that no message holds is named, whether or not the rest has a source', () => {
  const missing = (text: string) => sourcesOf({ a: text })[0];
  expect(missing('The total is $4,217.50.')).toMatchObject({ basis: 'none', missing: ['$4,217.50'] });
  expect(missing('HAT271 is booked as ZX81QQ for 4,217.50 dollars.')).toMatchObject({
    basis: 'matched',
    missing: ['4,217.50'],
  });
  expect(missing('The user wants HAT999 [4].')).toMatchObject({ basis: 'cited', missing: ['HAT999'] });
  expect(missing('It was said in [99].')).toMatchObject({ missing: ['99'] });
  expect(missing('The customer complained about Ryanair.')).toMatchObject({ missing: ['Ryanair'] });
});

test('a value in a text without spaces between its words is found, and one that is not there is named', () => {
  const missing = (written: string, statement: string) => {
    const index = new SourceIndex(statementsOf({ a: statement }), 1);
    const message = seqMessage(1, userMessage(written));
    index.add(message, factsIn(message));
    return index.sources()[0]!.missing;
  };
  for (const text of [
    'エラーはsrc/app.tsの42行目にあります。注文はZX81QQです。',
    '错误在src/app.ts的第42行，订单号是ZX81QQ。',
    'ข้อผิดพลาดอยู่ที่src/app.tsบรรทัด42คำสั่งซื้อZX81QQครับ',
  ]) {
    expect(missing(text, 'The error is in src/app.ts, line 42, order ZX81QQ.')).toEqual([]);
    expect(missing(text, 'The error is in src/api.ts, line 43, order ZX82QQ.')).toEqual([
      'src/api.ts',
      '43',
      'ZX82QQ',
    ]);
  }
  expect(missing('合計は4217円です。', '合計は4217円でした。')).toEqual([]);
  expect(missing('合計は4217円です。', '合計は5217円でした。')).toEqual(['5217']);
});

test('a code with another number is missing', () => {
  const index = new SourceIndex(statementsOf({ a: 'REL-34 is open.', b: 'REL-33 is open.' }), 1);
  const message = seqMessage(1, userMessage('Please look at REL-33.'));
  index.add(message, factsIn(message));
  expect(index.sources().map(({ missing }) => missing)).toEqual([['REL-34'], []]);
});

describe('a statement with nothing to check is neither sourced nor doubted', () => {
  test.each(['Work is in progress.', 'None.', 'Everything was completed successfully and needs review.'])(
    '%s',
    (text) => {
      expect(sourcesOf({ a: text })).toMatchObject([{ basis: 'unclear', seqs: [], missing: [] }]);
    },
  );
});

test.each([
  ['1,204.50 dollars', 'It costs $1204.5.'],
  ['on 2026-05-17T10:30:00Z', 'It leaves on 2026-05-17 at 10:30.'],
  ['{"text":"see\\nHAT271 of Lisbon"}', 'HAT271 goes to Lisbon.'],
  ['took 4217ms, 12% of it idle', 'It took 4,217 ms, 12 % idle.'],
  [`${'word '.repeat(10_000)} HAT271`, 'HAT271 is at the end.'],
])('a value in another spelling is not missing: %#', (message, statement) => {
  const index = new SourceIndex(statementsOf({ a: statement }), 1);
  const read = seqMessage(1, userMessage(message));
  index.add(read, factsIn(read));
  expect(index.sources()[0]!.missing).toEqual([]);
});

test('nouns of a language that capitalizes them are not names', () => {
  const german =
    'Der Kunde besitzt ein gelbes Boot. Er hat die Karte und den Hafen gesehen. Er will die Fahrt im Sommer.';
  expect(sourcesOf({ a: german }).flatMap(({ missing }) => missing)).toEqual([]);
});

const samples = new URL('../../../../samples/', import.meta.url);
const countWords = (text: string) => text.split(/\s+/).length;

describe.each(readdirSync(samples).filter((name) => name.endsWith('.jsonl')))('%s', (name) => {
  const messages = readFileSync(new URL(name, samples), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i) =>
      seqMessage(i + 1, readMessage({ format: 'openai', body: JSON.parse(line) as Record<string, unknown> })),
    );
  function summaryWith(line: string) {
    const fields = extractSummary({ prior: null, messages, maxTokens: 2_000, count: countWords });
    const all = { ...fields, current_state: `${fields.current_state}\n${line}` };
    const index = new SourceIndex(statementsOf(all), messages.length);
    for (const message of messages) index.add(message, factsIn(message));
    return index.sources();
  }

  test('of a summary that quotes, only the line that was made up is doubted', () => {
    const sources = summaryWith('The total is $4,217.50 for order QX90001.');
    const doubted = sources.filter(({ missing }) => missing.length > 0);
    expect(doubted).toMatchObject([{ missing: ['$4,217.50', 'QX90001'] }]);
  });

  test('a vague line of it is not', () => {
    const vague = summaryWith('Work is in progress.').find(({ text }) => text.startsWith('Work is'));
    expect(vague).toMatchObject({ missing: [] });
  });
});

test('statements are items of lists and sentences, with their places in the field', () => {
  const long = `${'One thing happened. '.repeat(15)}The end.`;
  const field = `- [1] an item. With two sentences.\n\n${long}`;
  const statements = statementsOf({ field });
  expect(statements).toHaveLength(17);
  for (const { start, text } of statements) expect(field.slice(start, start + text.length)).toBe(text);
});
