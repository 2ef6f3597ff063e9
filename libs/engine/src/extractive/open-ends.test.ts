import { describe, expect, test } from 'vitest';
import { formats } from '../formats/formats.js';
import { seqMessage, type SeqMessage } from '../messages/seq-message.js';
import { openEndsOf } from './open-ends.js';

/** A thread of calls that each got a result: the name of a tool, and its arguments. */
const thread = (...calls: [name: string, args: object][]): SeqMessage[] =>
  calls
    .flatMap(([name, args], i) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `c${i}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
      },
      { role: 'tool', tool_call_id: `c${i}`, content: 'ok' },
    ])
    .map((body, i) => seqMessage(i + 1, formats.openai.read(body)));

const openEnds = (...calls: [name: string, args: object][]): string[] =>
  openEndsOf(thread(...calls)).map(({ text }) => text);

const list = { todos: [{ content: 'write the test', status: 'pending' }] };

describe('a todo list', () => {
  test.each([
    ['pending', true],
    ['in_progress', true],
    ['incomplete', true],
    ['not_done', true],
    ['completed', false],
    ['Done', false],
    ['cancelled', false],
    ['canceled', false],
    ['skipped', false],
  ])('with an item that is %s: open %s', (status, isOpen) => {
    const open = openEnds(['todowrite', { todos: [{ content: 'write the test', status }] }]);
    expect(open).toEqual(isOpen ? ['todo: write the test'] : []);
  });

  test.each<[string, object]>([
    ['all of its items are done', { todos: [{ content: 'write the test', status: 'completed' }] }],
    ['it was emptied', { todos: [] }],
  ])('replaces the one before it: %s', (_, newer) => {
    expect(openEnds(['todowrite', list], ['todowrite', newer])).toEqual([]);
  });

  test('is not replaced by a call that has no list', () => {
    expect(openEnds(['todowrite', list], ['todoread', {}], ['change_plan', { plan_id: 'P-7' }])).toEqual([
      'todo: write the test',
    ]);
  });
});

describe('a checklist that the agent writes', () => {
  const says = (...texts: string[]): string[] =>
    openEndsOf(
      texts.map((content, i) => seqMessage(i + 1, formats.openai.read({ role: 'assistant', content }))),
    ).map(({ text }) => text);

  test('has open items, also one that is in progress', () => {
    expect(says('- [x] read\n- [.] test\n- [ ] fix\n* [ ] ship')).toEqual([
      'todo: test',
      'todo: fix',
      'todo: ship',
    ]);
  });

  test('replaces the one before it once all of its items are done', () => {
    expect(says('- [ ] test\n- [ ] fix', '- [x] test\n- [X] fix')).toEqual([]);
  });
});

test('a file whose name is a word for plans is none', () => {
  const body = {
    role: 'assistant',
    content: 'Each place in plan.ts wants a better name. The plan is to split it.',
  };
  const open = openEndsOf([seqMessage(1, formats.openai.read(body))]);
  expect(open.map(({ text }) => text)).toEqual(['The plan is to split it.']);
});
