import { describe, expect, test } from 'vitest';
import { formats } from '../formats/formats.js';
import { seqMessage } from '../messages/seq-message.js';
import { effectsIn, refusalsIn } from './effects.js';

const threadOf = (...all: [name: string, args: object, result: string][]) =>
  all
    .flatMap(([name, args, content], i) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `c${i}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
      },
      { role: 'tool', tool_call_id: `c${i}`, content },
    ])
    .map((body, i) => seqMessage(i + 1, formats.openai.read(body)));
const thread = (result: object) => threadOf(['book_flight', { flight: 'HT271' }, JSON.stringify(result)]);
const shell = (command: string, result: string) => threadOf(['bash', { command }, result]);

describe('a call whose result begins with', () => {
  test.each<[string, object]>([
    ['an empty error', { error: null, id: 'B-1' }],
    ['an error that is false', { error: false, id: 'B-1' }],
    ['no failures', { failed: 0, booked: 1 }],
  ])('%s has changed something', (_what, result) => {
    expect(effectsIn(thread(result))).toMatchObject([{ text: 'book_flight(flight: HT271)' }]);
    expect(refusalsIn(thread(result))).toEqual([]);
  });

  test.each<[string, object]>([
    ['the words of an error', { error: 'no seat is left' }],
    ['a mark of failure', { failed: true, reason: 'no seat is left' }],
    ['a count of failures', { failed: 10, reason: 'no seat is left' }],
  ])('%s was refused', (_what, result) => {
    expect(effectsIn(thread(result))).toEqual([]);
    expect(refusalsIn(thread(result))).toMatchObject([
      { text: 'book_flight(flight: HT271) refused: no seat is left' },
    ]);
  });
});

describe('a call whose result is JSON', () => {
  test.each<[object, string]>([
    [{ success: false, message: 'no seat is left' }, 'no seat is left'],
    [{ ok: false, id: 'B-1', error: 'no seat is left' }, 'no seat is left'],
    [{ id: 'B-1', status: 'error', detail: 'no seat is left' }, 'no seat is left'],
    [{ id: 'B-1', status: 'failed', reason: 'no seat is left' }, 'no seat is left'],
    [{ content: [{ type: 'text', text: 'no seat is left' }], isError: true }, 'no seat is left'],
    [{ code: 403, message: 'no seat is left' }, 'no seat is left'],
    [{ statusCode: 409, message: 'no seat is left' }, 'no seat is left'],
    [{ data: null, errors: [{ message: 'no seat is left' }] }, 'no seat is left'],
    [{ output: 'no seat is left\n', metadata: { exit_code: 1, duration_seconds: 0.1 } }, 'no seat is left'],
  ])('that says that it failed was refused: %j', (result, reason) => {
    expect(effectsIn(thread(result))).toEqual([]);
    expect(refusalsIn(thread(result))).toMatchObject([
      { seq: 1, text: `book_flight(flight: HT271) refused: ${reason}` },
    ]);
  });

  test.each<object>([
    { id: 'B-1', error: null, errors: [], warnings: ['aisle'] },
    { success: true, errors: [{ message: 'no seat with a window' }] },
    { id: 'B-1', status: 'confirmed', code: 403, seat: '12A' },
    { id: 'B-1', status: 200, message: 'booked' },
    { id: 'B-1', payment: { status: 'failed' }, attempts: [{ success: false }] },
    { output: 'booked', metadata: { exit_code: 0 } },
    { flight: 'HT271', isError: false, failed: [] },
  ])('that only has such words in its data has changed something: %j', (result) => {
    expect(effectsIn(thread(result))).toMatchObject([{ text: 'book_flight(flight: HT271)' }]);
    expect(refusalsIn(thread(result))).toEqual([]);
  });

  test('that repeats what the call said has changed something', () => {
    const messages = threadOf([
      'set_state',
      { job: 'J-7', status: 'failed', error: 'out of paper' },
      JSON.stringify({ job: 'J-7', status: 'failed', error: 'out of paper' }),
    ]);
    expect(effectsIn(messages)).toHaveLength(1);
  });

  test.each([
    { id: 'R-1', status: 'failed', message: 'no such card' },
    { id: 'R-1', error: 'card', message: 'no such card' },
  ])('that has words of a longer argument was refused all the same: %j', (result) => {
    const args = { order: 'A-100', reason: 'the delivery failed, back to the card' };
    const messages = threadOf(['refund_order', args, JSON.stringify(result)]);
    expect(effectsIn(messages)).toEqual([]);
    expect(refusalsIn(messages)).toHaveLength(1);
  });
});

describe('a command that was to change something', () => {
  const rejected = [
    'To github.com:acme/shop.git',
    ' ! [rejected]        main -> main (fetch first)',
    "error: failed to push some refs to 'github.com:acme/shop.git'",
    'hint: Updates were rejected because the remote contains work that you do not have locally.',
  ].join('\n');

  test.each([
    ['git push', rejected, '! [rejected] main -> main (fetch first)'],
    ['cd shop && git push 2>&1 | tail -5', rejected, '! [rejected] main -> main (fetch first)'],
    ['git push', 'fatal: no upstream branch is set', 'fatal: no upstream branch is set'],
    ['npm install left-pad', 'npm ERR! code E404', 'npm ERR! code E404'],
    [
      'docker build .',
      '#5 ERROR: process did not complete\nERROR: failed to solve: "npm ci" did not complete successfully: exit code: 1',
      '#5 ERROR: process did not complete',
    ],
    ['mkdir /srv/a', 'Exit code: 1\nWall time: 0.1 seconds\nno room', 'no room'],
    ['mkdir /srv/a', 'no room\n[exit code 1]', 'no room'],
    ['git push', '{"output":"no room\\n","metadata":{"exit_code":128}}', 'no room'],
    ["git commit -m 'one; two'", 'no room\nCommand exited with code 1', 'no room'],
    [
      'git push',
      "The user doesn't want to proceed with this tool use.",
      "The user doesn't want to proceed with this tool use.",
    ],
    ['git push', '[Request interrupted by user for tool use]', '[Request interrupted by user for tool use]'],
  ])('failed: %s, %s', (command, result, reason) => {
    expect(effectsIn(shell(command, result))).toEqual([]);
    expect(refusalsIn(shell(command, result))).toMatchObject([{ text: `$ ${command} failed: ${reason}` }]);
  });

  const warned = [
    'Running checks',
    'error: 1 import is unused',
    ...Array.from({ length: 20 }, (_, i) => `check ${i}`),
    '[main 376b858] Tidy',
  ];
  test.each([
    ['git commit -m Tidy', warned.join('\n')],
    ['git commit -m "Fix the error: none is open"', '[main 376b858] Fix the error: none is open'],
    ['git push', 'Exit code: 0\nOutput:\nEverything up-to-date'],
    ['git push', '{"output":"Everything up-to-date","metadata":{"exit_code":0}}'],
    ['pip install numpy', 'Collecting numpy\nERROR: a resolver warning\nSuccessfully installed numpy-2.1.0'],
    // What failed may be the tests.
    ["sed -i 's/1/2/' a.ts && npm test", 'FAIL a.test.ts\nAssertionError: expected 2 to be 1\n[exit code 1]'],
  ])('has changed it: %s, %s', (command, result) => {
    expect(effectsIn(shell(command, result))).toMatchObject([{ text: `$ ${command}` }]);
    expect(refusalsIn(shell(command, result))).toEqual([]);
  });
});

test('a file that was not written is not named as written', () => {
  const args = { path: '/srv/src/cart.ts', old: 'a', new: 'b' };
  const failed = threadOf(['edit', args, 'Could not find the exact text in /srv/src/cart.ts.']);
  expect(effectsIn(failed)).toEqual([]);
  const full = threadOf(['edit', args, '{"success":false,"message":"the disk is full"}']);
  expect(effectsIn(full)).toEqual([]);
  expect(refusalsIn(full)).toMatchObject([{ text: 'edit(/srv/src/cart.ts) refused: the disk is full' }]);
});

test('a refusal is told no more once the same call went through', () => {
  const args = { flight: 'HT271' };
  const messages = threadOf(
    ['book_flight', args, '{"success":false,"message":"try again"}'],
    ['book_flight', args, '{"success":true}'],
  );
  expect(refusalsIn(messages)).toEqual([]);
  expect(effectsIn(messages)).toMatchObject([{ seq: 3 }]);
});

test('a call of which no result was recorded has neither changed something nor failed', () => {
  const messages = shell('git push', '[no result was recorded for this call]');
  expect(effectsIn(messages)).toEqual([]);
  expect(refusalsIn(messages)).toEqual([]);
});

test('what a user asked to be cancelled was cancelled', () => {
  const messages = threadOf(['cancel_order', { order: 'A-100' }, 'Cancelled by user request']);
  expect(effectsIn(messages)).toHaveLength(1);
});

test('an effect says the whole numbers of its call as they were written', () => {
  const spoken = (input: string, result: object) =>
    thread(result).map((message) => ({
      ...message,
      calls: message.calls.map((call) => ({ ...call, input })),
    }));
  const args =
    '{"order_id": 72057594037927111, "of": {"ids": [72057594037927111, 7], "ref": "72057594037927113"}}';
  const text =
    'book_flight(order_id: 72057594037927111, of: {"ids":[72057594037927111,7],"ref":"72057594037927113"})';
  expect(effectsIn(spoken(args, { ok: true }))).toMatchObject([{ text }]);
  expect(refusalsIn(spoken('{"order_id": 72057594037927111}', { error: 'full' }))).toMatchObject([
    { text: 'book_flight(order_id: 72057594037927111) refused: full' },
  ]);
});
