import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Role } from '../messages/role.js';
import { formats } from '../formats/formats.js';
import { seqMessage } from '../messages/seq-message.js';
import { instructionsIn, maxInstructionsPerMessage, maxPossiblePerMessage } from './instructions-in.js';

const foundIn = (speech: string, role: Role = 'user') => instructionsIn({ seq: 7, role, name: null, speech });
const isPossible = ({ kind }: { kind: string }): boolean => kind === 'possible';
const textsOf = (text: string, role?: Role) =>
  foundIn(text, role)
    .filter((one) => !isPossible(one))
    .map((one) => one.text);
const possibleIn = (text: string, role?: Role) =>
  foundIn(text, role)
    .filter(isPossible)
    .map((one) => one.text);

test('instructions come verbatim, with ids from their message and position', () => {
  const text = 'The build is red. Please fix it, and never push to main. Ask me before you delete anything.';
  expect(foundIn(text)).toEqual([
    {
      id: `7-${text.indexOf('Please')}`,
      seq: 7,
      participant: null,
      text: 'Please fix it, and never push to main.',
      kind: 'prohibition',
      source: 'found',
      decision: null,
    },
    {
      id: `7-${text.indexOf('Ask')}`,
      seq: 7,
      participant: null,
      text: 'Ask me before you delete anything.',
      kind: 'procedure',
      source: 'found',
      decision: null,
    },
  ]);
});

test('a sentence that was judged before is judged again where it stands in a list of rules, and the other way round', () => {
  const [alone, listed] = ['The logo is blue.', 'Ground rules:\n- The logo is blue.'];
  for (let i = 0; i < 2; i++) {
    expect(textsOf(alone)).toEqual([]);
    expect(textsOf(listed)).toEqual(['The logo is blue.']);
  }
});

test.each([
  'The garden gate stays open.',
  'The owner is the platform group.',
  'The bike belongs to my sister.',
])('what is no instruction for certain is possible, verbatim: %s', (text) => {
  expect(textsOf(text)).toEqual([]);
  expect(possibleIn(`It works. ${text}`)).toEqual([text]);
});

test.each([
  'Thanks!',
  'Thank you so much.',
  'Thanks, go on.',
  'I appreciate your patience, truly.',
  'Have a good day.',
  'And have a great rest of your week!',
  'Hey there.',
  'Hello again!',
  'Talk to you soon.',
  'All of it.',
  'Both of them, please.',
  'Economy.',
  'What does this function do?',
  'Could you look up my order?',
  "I'll call you when I get there.",
  "I'm going to book the hotel myself.",
  'The migration is done.',
  `The scope is ${'the backend and '.repeat(20)}the frontend.`,
])(
  'courtesies, wishes, bare answers, questions at hand, plans, endings and long sentences are not possible: %s',
  (text) => {
    expect(possibleIn(text)).toEqual([]);
  },
);

test('what is possible comes from the own words of the user alone', () => {
  const text = [
    '```',
    'The garden gate stays open.',
    '```',
    '> The owner is the platform group.',
    '2026-01-02 10:00:00 The scope is it',
  ];
  expect(possibleIn(text.join('\n'))).toEqual([]);
  expect(possibleIn('The garden gate stays open.', 'assistant')).toEqual([]);
});

test('a message gives a bounded number of possible ones, which displace no instruction', () => {
  const text = Array.from({ length: 60 }, (_, i) => `The owner is the platform group of number${i}.`).join(
    ' ',
  );
  expect(possibleIn(text)).toHaveLength(maxPossiblePerMessage);
  expect(possibleIn('The owner is the platform group. '.repeat(60))).toEqual([
    'The owner is the platform group.',
  ]);
  expect(textsOf(`${text} Never push to main.`)).toEqual(['Never push to main.']);
  const late = ['The garden gate stays open.', 'Termine nur am Vormittag.'];
  expect(possibleIn(`${text} ${late.join(' ')}`)).toHaveLength(maxPossiblePerMessage);
  // Nobody remembers of them that there was no room.
  for (const sentence of late) expect(possibleIn(sentence)).toEqual([sentence]);
});

test.each(['assistant', 'tool'] as const)('the words of the %s are never instructions', (role) => {
  expect(textsOf('Never push to main. From now on answer in French.', role)).toEqual([]);
});

test('nor is a tool result that a message of the user brings', () => {
  const content = [
    { type: 'tool_result', tool_use_id: 'c', content: 'Never push to main.' },
    { type: 'text', text: 'Keep your answers short.' },
  ];
  const message = seqMessage(7, formats.anthropic.read({ role: 'user', content }));
  expect(instructionsIn(message).map(({ text }) => text)).toEqual(['Keep your answers short.']);
});

test('code, logs, quotes, marked-up and forwarded text are not the words of the user', () => {
  const text = [
    'Look at this:',
    '```',
    '# never edit this file by hand',
    'Always run me as root.',
    '```',
    '> Never reply to this mail.',
    '2026-01-02 10:00:00 WARN never restart the server',
    '<issue>',
    'Always ask before merging.',
    '</issue>',
    'Never touch the schema.',
    '---- Forwarded message ----',
    'Please never call us again.',
  ].join('\n');
  expect(textsOf(text)).toEqual(['Never touch the schema.']);
});

test('the items of a list of rules are instructions, those of a list of tasks are not', () => {
  const rules = 'Ground rules for this session:\n- plain language, please\n- no new dependencies\n\nThanks.';
  expect(textsOf(rules)).toEqual(['plain language, please', 'no new dependencies']);
  expect(textsOf('Please do this:\n- fix the parser\n- add a test\n- update the changelog')).toEqual([]);
});

test('a sentence that was wrapped is one', () => {
  const text = 'I want you to stop and ask me whenever a test is about to be deleted\nor skipped by anyone.';
  expect(textsOf(text)).toEqual([text]);
});

test('what a message says several times is one instruction, where it says it first', () => {
  const found = foundIn('Never push to main. It broke. Never push to main.');
  expect(found.filter(({ text }) => text === 'Never push to main.').map(({ id }) => id)).toEqual(['7-0']);
});

test('a message of 200 KB of rules gives a bounded number, in time that grows with its length', () => {
  const rules = Array.from({ length: 10_000 }, (_, i) => `Never touch file ${i}. `).join('');
  const found = foundIn(rules).filter((one) => !isPossible(one));
  expect(found).toHaveLength(maxInstructionsPerMessage);
  for (const text of [
    'never '.repeat(35_000),
    '- '.repeat(100_000),
    'please, '.repeat(25_000),
    '('.repeat(200_000),
  ])
    expect(foundIn(text).length).toBeLessThanOrEqual(maxInstructionsPerMessage + maxPossiblePerMessage);
});

test.each([
  'All work and no play makes a dull thread.',
  'All work and no play.',
  'No reply from the airline means a refund.',
  'No two runs take the same time, and no test needs more than a second.',
])('what tells of something is no ban: %s', (text) => {
  expect(textsOf(text)).toEqual([]);
});

test('what no database takes is left out', () => {
  expect(textsOf('Never use \0 or \ud800 here.')).toEqual(['Never use  or \ufffd here.']);
});

test('no message stays in memory for the sentences that are remembered of it', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapUsed = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const filler = 'The quick brown fox jumps over the lazy dog near the river bank today.\n'.repeat(14_000);
  const before = heapUsed();
  for (let number = 1; number <= 40; number += 1) {
    const text = Buffer.from(`Always answer in French while case ${number} is open.\n${filler}`).toString();
    expect(textsOf(text)).not.toEqual([]);
  }
  // Of 40 messages of a megabyte each.
  expect(heapUsed() - before).toBeLessThan(8_000_000);
});

test.each(['No, do not go ahead.', 'Please do not proceed.', "Don't do it!", 'No. Stop.'])(
  'an answer that refuses what was just asked says nothing that holds from now on: %s',
  (answer) => {
    expect(foundIn(answer)).toEqual([]);
  },
);
