import { beforeAll, describe, expect, test } from 'vitest';
import {
  assembleContext,
  callsOf,
  countMessage,
  entryOfMessage,
  formatNames,
  formats,
  loadCounter,
  outlineContext,
  readMessage,
  resultsOf,
  textOf,
  type Body,
  type Context,
  type FormatName,
  type MessageCounter,
  type Part,
} from '../index.js';

let counter: MessageCounter;
beforeAll(async () => {
  counter = { text: await loadCounter('o200k'), perMessage: 4 };
});

function contextOf(posted: readonly Body[], format: FormatName, target: FormatName = format): Context {
  const entries = posted.map((body, i) => {
    const message = formats[format].read(body);
    const tokens = countMessage(message, counter);
    return entryOfMessage(message, { seq: i + 1, tokens, pinned: false, format });
  });
  const input = { limit: 99_999, systemTokens: 0, leading: [], carried: [], summary: null, recent: entries };
  const outlined = outlineContext({ ...input, maxImages: 5, clearedThrough: 0 });
  if (!outlined.fits) throw new Error('does not fit');
  const bodies = new Map(posted.map((body, i) => [i + 1, { format, body }]));
  return assembleContext(outlined.outline, bodies, { target, counter });
}

const user = (content: unknown): Body => ({ role: 'user', content });

describe("words beside results in Anthropic's format", () => {
  const text = (words: string): Body => ({ type: 'text', text: words });
  const result = (id: string): Body => ({ type: 'tool_result', tool_use_id: id, content: `of ${id}` });
  const calls = (...ids: string[]): Body => ({
    role: 'assistant',
    content: ids.map((id) => ({ type: 'tool_use', id, name: 'run', input: {} })),
  });
  const shown = (...posted: Body[]) => contextOf([user('go'), ...posted], 'anthropic').messages.slice(1);

  test('come after the results, where they were posted before them', () => {
    expect(shown(calls('a'), user([text('before'), result('a')]))).toEqual([
      calls('a'),
      user([result('a'), text('before')]),
    ]);
    const two = user([text('one'), result('a'), text('two'), result('b')]);
    expect(shown(calls('a', 'b'), two)).toEqual([
      calls('a', 'b'),
      user([result('a'), result('b'), text('one'), text('two')]),
    ]);
  });

  test('come after the results of a later message too', () => {
    const posted = [calls('a', 'b'), user([result('a'), text('wait')]), user([result('b')])];
    expect(shown(...posted)).toEqual([calls('a', 'b'), user([result('a'), result('b'), text('wait')])]);
    expect(shown(...posted, user('and now?')).at(-1)).toEqual(user('and now?'));
  });

  test('stay as they were posted where Anthropic takes them', () => {
    const posted = [calls('a', 'b'), user([result('a')]), user([result('b'), text('all of them')])];
    const messages = shown(...posted);
    expect(messages).toEqual(posted);
    messages.forEach((message, i) => expect(message).toBe(posted[i]));
    // A result without a call is a note, among the words where it was posted.
    const note = shown(user([text('before'), result('x'), text('after')])).at(-1)!.content as Body[];
    expect(note.map((block) => String(block.text).split('\n').at(-1))).toEqual(['before', 'of x', 'after']);
    // A field of the message itself says nothing.
    const marked = { ...user([result('a')]), marked: true };
    expect(shown(calls('a', 'b'), marked, user([result('b')]))[1]).toBe(marked);
  });
});

const run = (id: string, n: number): Part => ({
  type: 'call',
  id,
  name: 'run',
  input: `{"n":${n}}`,
  custom: false,
});
const done = (callId: string, words: string): Part => ({
  type: 'result',
  callId,
  name: 'run',
  parts: [{ type: 'text', text: words }],
  isError: false,
});
type Spoken = ['user' | 'assistant' | 'tool', ...Part[]];
const spoken = (words: string): Spoken => ['user', { type: 'text', text: words }];

/** Messages as a caller posts them in this format, each with the parts of one. */
const bodiesOf = (format: FormatName, messages: readonly Spoken[]): Body[] =>
  messages.flatMap(([role, ...parts]) =>
    formats[format].write([{ role, name: null, parts }]).bodies.map(({ body }) => body),
  );

/** Ids and words of the calls and results that a context shows. */
function tiesOf({ messages }: Context, format: FormatName): string[] {
  return messages
    .map((body) => readMessage({ format, body }))
    .flatMap((message) => [
      ...callsOf(message).map(
        ({ id, input }) => `${id} called with ${(JSON.parse(input) as { n: number }).n}`,
      ),
      ...resultsOf(message).map((part) => `${part.callId}: ${textOf({ ...message, parts: [part] })}`),
    ]);
}

const pairs = formatNames.flatMap((from) => formatNames.map((to) => [from, to] as const));

describe('calls with one id', () => {
  const turn = (n: number): Spoken[] => [
    spoken(`turn ${n}`),
    ['assistant', run('call_0', n)],
    ['tool', done('call_0', `result ${n}`)],
  ];

  test.each(pairs)('of several turns have an id each, but in chat format: %s as %s', (from, to) => {
    const context = contextOf(bodiesOf(from, [1, 2, 3].flatMap(turn)), from, to);
    const [second, third] = to === 'openai' ? ['call_0', 'call_0'] : ['call_0_5', 'call_0_8'];
    expect(tiesOf(context, to)).toEqual([
      'call_0 called with 1',
      'call_0: result 1',
      `${second} called with 2`,
      `${second}: result 2`,
      `${third} called with 3`,
      `${third}: result 3`,
    ]);
    const counted = context.messages.map((body) => countMessage(formats[to].read(body), counter));
    expect(context.parts.map(({ tokens }) => tokens)).toEqual(counted);
  });

  test.each(pairs)('of one step have an id and a result each: %s as %s', (from, to) => {
    const posted = bodiesOf(from, [
      spoken('go'),
      ['assistant', run('x', 1), run('y', 2), run('x', 3)],
      ['tool', done('x', 'first')],
      ['tool', done('x', 'second')],
      ['tool', done('y', 'other')],
    ]);
    const context = contextOf(posted, from, to);
    // Items of the Responses API are a message each.
    const again = from === 'responses' ? 'x_4' : 'x_2';
    expect(tiesOf(context, to)).toEqual([
      'x called with 1',
      'y called with 2',
      `${again} called with 3`,
      'x: first',
      `${again}: second`,
      'y: other',
    ]);
    expect(context.pendingCalls).toEqual([]);
  });

  const twice: Spoken[] = [spoken('go'), ['assistant', run('x', 1), run('x', 2), run('y', 3)]];
  const idsOf = (posted: readonly Body[], format: FormatName) =>
    contextOf(posted, format).pendingCalls.map(({ callId }) => callId);

  test.each(formatNames)('are open until a result comes for each: %s', (format) => {
    const posted = bodiesOf(format, twice);
    expect(idsOf(posted, format)).toEqual(['x', 'x', 'y']);
    const answered = [...posted, ...bodiesOf(format, [['tool', done('x', 'first')]])];
    expect(contextOf(answered, format).pendingCalls.map(({ callId, seq }) => [callId, seq])).toEqual([
      ['x', format === 'responses' ? 3 : 2],
      ['y', format === 'responses' ? 4 : 2],
    ]);
  });

  // A client may have repeated a call by mistake.
  test.each(formatNames)('are valid with one result for both, until the other comes: %s', (format) => {
    const posted = bodiesOf(format, [...twice, ['tool', done('x', 'first')], ['tool', done('y', 'other')]]);
    const again = format === 'responses' ? 'x_3' : 'x_2';
    const once = contextOf(posted, format);
    expect(once.pendingCalls).toEqual([]);
    expect(tiesOf(once, format).slice(3)).toEqual([
      'x: first',
      'y: other',
      `${again}: [no result was recorded for this call]`,
    ]);
    const both = contextOf([...posted, ...bodiesOf(format, [['tool', done('x', 'second')]])], format);
    expect(tiesOf(both, format).slice(3)).toEqual(['x: first', 'y: other', `${again}: second`]);
    expect(both.messages.slice(0, 2)).toEqual(once.messages.slice(0, 2));
  });

  test('have ids that no other call has, and that do not change as the thread grows', () => {
    const posted = bodiesOf('anthropic', [
      spoken('go'),
      ['assistant', run('x', 1), run('x_6', 2)],
      ['tool', done('x', '1'), done('x_6', '2')],
      ['assistant', run('y', 3)],
      ['tool', done('y', '3')],
      ['assistant', run('x', 4), run('x', 5), run('x_6_2', 6)],
      ['tool', done('x', '4'), done('x_6_2', '6'), done('x', '5')],
    ]);
    const whole = contextOf(posted, 'anthropic').messages;
    expect(tiesOf({ messages: whole } as Context, 'anthropic').slice(6)).toEqual([
      'x_6_2 called with 4',
      'x_6_3 called with 5',
      'x_6_2_6 called with 6',
      'x_6_2: 4',
      'x_6_2_6: 6',
      'x_6_3: 5',
    ]);
    for (let n = 1; n < posted.length; n++)
      expect(contextOf(posted.slice(0, n), 'anthropic').messages).toEqual(whole.slice(0, n));
  });

  test('change nothing else of their messages', () => {
    const call = (id: string) => ({
      type: 'tool_use',
      id,
      name: 'run',
      input: {},
      caller: { type: 'direct' },
    });
    const result = (id: string) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: 'x', cache_control: { type: 'ephemeral' } }],
      marked: true,
    });
    const thought = { type: 'thinking', thinking: 'hm', signature: 's' };
    const step = (id: string): Body[] => [{ role: 'assistant', content: [thought, call(id)] }, result(id)];
    const posted = [user('go'), ...step('call_0'), ...step('call_0')];
    const { messages } = contextOf(posted, 'anthropic');
    expect(messages).toEqual([user('go'), ...step('call_0'), ...step('call_0_4')]);
    posted.slice(0, 3).forEach((body, i) => expect(messages[i]).toBe(body));
  });

  test('that need an approval have it under their own id', () => {
    const step = (id: string): Body[] => [
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: id, toolName: 'run', input: {} },
          { type: 'tool-approval-request', approvalId: 'yes', toolCallId: id },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: 'yes', approved: true },
          { type: 'tool-result', toolCallId: id, toolName: 'run', output: { type: 'text', value: 'x' } },
        ],
      },
    ];
    const posted = [user('go'), ...step('call_0'), ...step('call_0')];
    const expected = [user('go'), ...step('call_0'), ...step('call_0_4')];
    expect(contextOf(posted, 'ai-sdk').messages).toEqual(expected);
  });

  test('are told apart also where the format cannot write both ids', () => {
    const posted = bodiesOf('openai', [
      spoken('go'),
      ['assistant', run('a.b', 1), run('a_x2e_b', 2)],
      ['tool', done('a_x2e_b', 'second')],
      ['tool', done('a.b', 'first')],
    ]);
    expect(tiesOf(contextOf(posted, 'openai', 'anthropic'), 'anthropic')).toEqual([
      'a_x2e_b called with 1',
      'a_x2e_b_2 called with 2',
      'a_x2e_b_2: second',
      'a_x2e_b: first',
    ]);
  });
});

test("an id that was posted in Anthropic's format is written as Anthropic takes it", () => {
  const step = (id: string): Body[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'ls', input: {} }] },
    user([{ type: 'tool_result', tool_use_id: id, content: 'x' }]),
  ];
  const posted = [user('go'), ...step('functions.ls:0')];
  expect(contextOf(posted, 'anthropic').messages).toEqual([user('go'), ...step('functions_x2e_ls_x3a_0')]);
});

describe("approvals of the AI SDK's tool calls", () => {
  const called = (...ids: string[]) =>
    ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'drop', input: {} }));
  const asked = (id: string) => ({ type: 'tool-approval-request', approvalId: `of-${id}`, toolCallId: id });
  const approved = (id: string) => ({
    type: 'tool-approval-response',
    approvalId: `of-${id}`,
    approved: true,
  });
  const result = (id: string, value = 'done') => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: 'drop',
    output: { type: 'text', value },
  });
  const assistant = (...content: Body[]): Body => ({ role: 'assistant', content });
  const tool = (...content: Body[]): Body => ({ role: 'tool', content });
  const shown = (...posted: Body[]) => contextOf([user('go'), ...posted], 'ai-sdk');

  test.each<[string, Body[], string[]]>([
    ['approved', [assistant(...called('a'), asked('a')), tool(approved('a'))], ['a']],
    [
      'approved, with the result of another call beside the approval',
      [assistant(...called('a', 'b'), asked('b')), tool(approved('b'), result('a'))],
      ['b'],
    ],
    [
      'approved, with the result of another call before the approval',
      [assistant(...called('a', 'b'), asked('b')), tool(result('a')), tool(approved('b'))],
      ['b'],
    ],
    ['approved and run', [assistant(...called('a'), asked('a')), tool(approved('a')), tool(result('a'))], []],
  ])('%s: the context is what was posted, and an approved call waits for its result', (_, posted, open) => {
    const context = shown(...posted);
    expect(context.messages.slice(1)).toEqual(posted);
    expect(context.pendingCalls.map(({ callId }) => callId)).toEqual(open);
  });

  test('a call that is never run gets a result with the name of its tool', () => {
    const posted = [assistant(...called('a'), asked('a')), tool(approved('a'))];
    expect(shown(...posted, user('stop')).messages.slice(1)).toEqual([
      ...posted,
      tool(result('a', '[no result was recorded for this call]')),
      user('stop'),
    ]);
  });

  test.each(formatNames.filter((format) => format !== 'ai-sdk'))('%s has no place for them', (target) => {
    const posted = [assistant(...called('a'), asked('a')), tool(approved('a')), tool(result('a'))];
    const without = [assistant(...called('a')), tool(result('a'))];
    const context = contextOf([user('go'), ...posted], 'ai-sdk', target);
    expect(context.messages).toEqual(contextOf([user('go'), ...without], 'ai-sdk', target).messages);
    expect(context.dropped.map(({ what }) => what)).toEqual([
      expect.stringContaining('tool-approval-request'),
      'tool-approval-response',
    ]);
  });
});

describe("calls of OpenAI's Responses API without a result", () => {
  const noResult = '[no result was recorded for this call]';
  const shown = (...posted: Body[]) =>
    contextOf([user('go'), ...posted, user('stop')], 'responses').messages.slice(1, -1);
  const thought: Body = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' };
  const shell = { stdout: noResult, stderr: '', outcome: { type: 'timeout' } };

  const answered: [Body, Body][] = [
    [
      { type: 'function_call', call_id: 'a', name: 'run', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: noResult },
    ],
    [
      { type: 'custom_tool_call', call_id: 'a', name: 'run', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'a', output: noResult },
    ],
    [
      { type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } },
      { type: 'shell_call_output', call_id: 'a', output: [shell] },
    ],
    [
      { type: 'local_shell_call', id: 'lsh_1', call_id: 'a', action: { type: 'exec', command: ['ls'] } },
      { type: 'local_shell_call_output', call_id: 'a', output: noResult },
    ],
    [
      { type: 'apply_patch_call', call_id: 'a', operation: { type: 'delete_file', path: 'x' } },
      { type: 'apply_patch_call_output', call_id: 'a', status: 'failed', output: noResult },
    ],
  ];
  const named = answered.map(([call, output]) => [output.type as string, call, output] as const);
  test.each(named)('get one of their own type: %s', (_, call, output) => {
    expect(shown(call)).toEqual([call, output]);
    expect(shown(thought, call)).toEqual([thought, call, output]);
    // Also where another item of the step is written again.
    const stray: Body = { type: 'function_call_output', call_id: 'z', output: 'late' };
    expect(shown(call, stray)[1]).toEqual(output);
  });

  test('need none where a local shell answered, which names the call in its id', () => {
    const call: Body = { type: 'local_shell_call', id: 'lsh_1', call_id: 'a', action: { type: 'exec' } };
    const output: Body = { type: 'local_shell_call_output', id: 'a', output: 'done' };
    expect(shown(call, output)).toEqual([call, output]);
    // Each call has an id of its own, and so has its result.
    const [, , again, answer] = shown(call, output, call, output);
    expect(answer).toEqual({ ...output, id: again!.call_id });
    expect(again!.call_id).not.toBe('a');
    const converted = contextOf([user('go'), call, output], 'responses', 'openai').messages;
    expect(converted[2]).toEqual({ role: 'tool', tool_call_id: 'a', content: 'done' });
  });

  test('are a note where no text may answer them', () => {
    const call: Body = { type: 'computer_call', id: 'cu_1', call_id: 'a', action: { type: 'screenshot' } };
    expect(shown(call)).toEqual([
      {
        type: 'message',
        role: 'user',
        content:
          '[Your call of computer, of which no result was recorded:]\n{"action":{"type":"screenshot"}}',
      },
    ]);
    // The result may still come.
    expect(contextOf([user('go'), call], 'responses').messages[1]).toBe(call);
  });
});

describe('an empty message of the assistant', () => {
  const item = (content: string): Body => ({ type: 'message', role: 'assistant', content });
  const call: Body = { type: 'function_call', call_id: 'a', name: 'run', arguments: '{}' };
  const result: Body = { type: 'function_call_output', call_id: 'a', output: 'done' };
  const textsIn = (target: FormatName, ...posted: Body[]) =>
    contextOf([user('go'), ...posted], 'responses', target)
      .messages.slice(1)
      .map((body) => textOf(formats[target].read(body)));

  test.each(['openai', 'anthropic', 'ai-sdk'] as const)('adds no words to its step in %s', (target) => {
    expect(textsIn(target, item(''), item('ans'))).toEqual(['ans']);
    expect(textsIn(target, item('ans'), item(''))).toEqual(['ans']);
    expect(textsIn(target, item(''), call, result)).toEqual(['', 'done']);
  });

  test.each(['openai', 'anthropic', 'ai-sdk'] as const)('has a text in %s where it is alone', (target) => {
    expect(textsIn(target, item(''))).toEqual(['[empty message]']);
    expect(textsIn(target, item(''), item(''))).toEqual(['[empty message]']);
    const thought: Body = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' };
    expect(textsIn(target, thought, item(''))).toEqual(['[empty message]']);
  });

  test('has one as an item, which no other text is part of', () => {
    const posted = [user('go'), { role: 'assistant', content: '' }];
    expect(contextOf(posted, 'openai', 'responses').messages[1]).toEqual(item('[empty message]'));
  });
});
