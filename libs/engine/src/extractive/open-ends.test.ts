import { describe, expect, test } from 'vitest';
import { formats } from '../formats/formats.js';
import { seqMessage, type SeqMessage } from '../messages/seq-message.js';
import { openEndsOf, stillOpen } from './open-ends.js';

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

describe('a tool of todos', () => {
  const items = [{ content: 'write the test', status: 'pending' }];

  test.each<[string, object]>([
    ['TodoWrite', { todos: items }],
    ['todowrite', { merge: false, todos: items }],
    ['todo_write', { items }],
    ['write_todos', { todos: items }],
    ['manage_todo_list', { operation: 'write', todoList: items }],
    ['mcp__board__update_task_list', { task_list: items }],
    ['updateTasklist', { tasks: items }],
    ['set_checklist', items],
    ['functions.update_plan', { plan: [{ step: 'write the test', status: 'pending' }] }],
  ])('is %s', (name, args) => {
    expect(openEnds([name, args])).toEqual(['todo: write the test']);
    expect(openEnds([name, args], [name, Array.isArray(args) ? [] : { todos: [] }])).toEqual([]);
  });

  test.each<[string, object]>([
    ['search_plans', { filters: [], q: 'pro' }],
    ['change_plan', { plan: 'P-7', title: 'Pro plan 2026', addons: [] }],
    ['plan_route', { items: [] }],
    ['explain_query', { tasks: [] }],
    ['list_floorplans', { tasks: [{ title: 'Hall' }] }],
    ['todoist_create_tasks', { tasks: [{ content: 'Buy milk' }] }],
    ['get_task', { list: [] }],
    ['update_plan', { title: 'Pro', text: 'For teams', features: [], seats: { tiers: [] } }],
    ['todo_search', { tags: [], text: 'test' }],
  ])('is not %s, or not with these arguments', (name, args) => {
    expect(openEnds(['todo_write', list], [name, args])).toEqual(['todo: write the test']);
    const earlier = [{ seq: 1, text: 'todo: write the test', weight: 1 }];
    expect(stillOpen(earlier, thread([name, args]))).toEqual(earlier);
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

describe('a call without a result', () => {
  type Step = [call: string, args: object] | { result: string; name?: string } | { says: string };
  /** Messages in which each call has the id of its name and place, and results name an id. */
  const steps = (...all: Step[]): SeqMessage[] =>
    all.map((step, i) => {
      const body = Array.isArray(step)
        ? {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                id: `c${i}`,
                type: 'function',
                function: { name: step[0], arguments: JSON.stringify(step[1]) },
              },
            ],
          }
        : 'says' in step
          ? { role: 'user', content: step.says }
          : { role: 'tool', tool_call_id: step.result, content: 'deployed build 4711' };
      const message = seqMessage(i + 1, formats.openai.read(body));
      const name = 'result' in step ? (step.name ?? null) : null;
      return { ...message, results: message.results.map((result) => ({ ...result, name })) };
    });
  const unanswered = (messages: SeqMessage[]): string[] =>
    openEndsOf(messages)
      .map(({ text }) => text)
      .filter((text) => text.startsWith('no result yet'));
  const line = (call: string, args: object, seq = 1) => ({
    seq,
    text: `no result yet: ${call}(${JSON.stringify(args)})`,
    weight: 1,
  });
  const env = (name: string) => ({ env: name });

  test('is named until the same call has one', () => {
    const crash: Step[] = [['deploy', env('prod-2')], { says: 'continue' }];
    expect(unanswered(steps(...crash))).toEqual([line('deploy', env('prod-2')).text]);
    const retried = steps(...crash, ['deploy', env('prod-2')], { result: 'c2' });
    expect(unanswered(retried)).toEqual([]);
  });

  test.each<[string, Step[]]>([
    ['another input', [['deploy', env('prod-3')], { result: 'c2' }]],
    ['another tool', [['check', env('prod-2')], { result: 'c2' }]],
    ['no result either', [['deploy', env('prod-2')], { says: 'and?' }]],
  ])('is named after a call with %s', (_, later) => {
    const messages = steps(['deploy', env('prod-2')], { says: 'continue' }, ...later);
    expect(unanswered(messages)).toContain(line('deploy', env('prod-2')).text);
  });

  test('is named when its result came before, for the same call', () => {
    const messages = steps(['deploy', env('a')], { result: 'c0' }, ['deploy', env('a')], { says: 'and?' });
    expect(unanswered(messages)).toEqual([line('deploy', env('a')).text]);
  });

  const open = (...all: Step[]): string[] =>
    stillOpen(
      [line('deploy', env('a')), line('deploy', env('b')), line('charge', { cents: 5 })],
      steps(...all),
    ).map(({ text }) => text.slice('no result yet: '.length));
  const [a, b, charge] = ['deploy({"env":"a"})', 'deploy({"env":"b"})', 'charge({"cents":5})'];

  test.each<[string, Step[], string[]]>([
    ['the same call has a result', [['deploy', env('b')], { result: 'c0' }], [a, charge]],
    ['the same call has none', [['deploy', env('b')], { says: 'and?' }], [a, b, charge]],
    ['its result came, with the name of its tool', [{ result: 'x', name: 'charge' }], [a, b]],
    ['one of two came', [{ result: 'x', name: 'deploy' }], [a, b, charge]],
    [
      'both came',
      [
        { result: 'x', name: 'deploy' },
        { result: 'y', name: 'deploy' },
      ],
      [charge],
    ],
    [
      'one result came twice',
      [
        { result: 'x', name: 'deploy' },
        { result: 'x', name: 'deploy' },
      ],
      [a, b, charge],
    ],
    ['a result came that may be of each', [{ result: 'x' }], [a, b, charge]],
    ['all results came', [{ result: 'x' }, { result: 'y' }, { result: 'z' }], []],
    [
      'newer calls have results',
      [['look', {}], { result: 'c0' }, ['look', {}], { result: 'c2' }],
      [a, b, charge],
    ],
  ])('of an earlier summary: %s', (_, messages, expected) => {
    expect(open(...messages)).toEqual(expected);
  });

  test('of an earlier summary, the only one: any late result is its own', () => {
    expect(stillOpen([line('deploy', env('a'))], steps({ result: 'x' }))).toEqual([]);
  });

  test('of an earlier summary is known by what the summary shows of a long input', () => {
    const args = { path: 'a.ts', text: 'All work and no play. '.repeat(20) };
    const [earlier] = openEndsOf(steps(['write', args]));
    expect(earlier!.text).toMatch(/ \.\.\.\)$/);
    expect(stillOpen([earlier!], steps(['write', args], { result: 'c0' }))).toEqual([]);
  });
});
