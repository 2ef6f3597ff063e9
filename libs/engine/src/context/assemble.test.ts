import { beforeAll, describe, expect, test } from 'vitest';
import {
  assembleContext,
  callsOf,
  countMessage,
  entryOfMessage,
  formats,
  loadCounter,
  outlineContext,
  renderSummary,
  shortenMessage,
  type Body,
  type Context,
  type FormatName,
  type MessageCounter,
} from '../index.js';

let counter: MessageCounter;
beforeAll(async () => {
  counter = { text: await loadCounter('o200k'), perMessage: 4 };
});

const call = (...ids: string[]): Body => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'run', arguments: '{}' } })),
});
const result = (id: string, content = 'done'): Body => ({ role: 'tool', tool_call_id: id, content });
const user = (content: string): Body => ({ role: 'user', content });

interface Asked {
  limit?: number;
  summary?: { text: string; tokens: number };
  /** How many of the messages the summary carries. */
  carried?: number;
  alternate?: boolean;
  /** Of the messages and the context. Default: openai. */
  format?: FormatName;
}

function made(bodies: Body[], asked: Asked = {}): Context {
  const found = context(bodies, asked.limit, asked);
  if (!('messages' in found)) throw new Error(`does not fit: ${found.minimum}`);
  return found;
}

function context(
  bodies: Body[],
  limit = 100_000,
  { summary, carried = 0, alternate = false, format = 'openai' }: Asked = {},
) {
  const entries = bodies.map((body, i) => {
    const message = formats[format].read(body);
    const tokens = countMessage(message, counter);
    return entryOfMessage(message, { seq: i + 1, tokens, pinned: false, format });
  });
  const outlined = outlineContext({
    limit,
    systemTokens: 0,
    leading: [],
    carried: entries.slice(0, carried),
    summary: summary ?? null,
    recent: entries.slice(carried),
    maxImages: 5,
    clearedThrough: 0,
  });
  if (!outlined.fits) return outlined;
  return assembleContext(outlined.outline, new Map(bodies.map((body, i) => [i + 1, { format, body }])), {
    target: format,
    counter,
    alternate,
  });
}
const messagesOf = (bodies: Body[], limit?: number): Body[] =>
  made(bodies, limit === undefined ? {} : { limit }).messages;

describe('a context a provider accepts', () => {
  test('leaves calls open at the very end', () => {
    const bodies = [user('go'), call('a', 'b'), result('a')];
    expect(messagesOf(bodies)).toEqual(bodies);
  });

  test('answers an abandoned call for the tool', () => {
    const messages = messagesOf([user('go'), call('a', 'b'), result('a'), user('never mind')]);
    expect(messages.map((m) => m.role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
    expect(messages[3]).toMatchObject({
      tool_call_id: 'b',
      content: '[no result was recorded for this call]',
    });
  });

  test('puts a result that came after the user spoke with its call', () => {
    const before = [user('go'), call('a', 'b'), result('a'), user('wait'), user('really')];
    const [go, calls, first, wait, really] = before;
    expect(messagesOf([...before, result('b', 'late')])).toEqual([
      go,
      calls,
      first,
      result('b', 'late'),
      wait,
      really,
    ]);
  });

  test('puts the results of two agents that call side by side with their calls', () => {
    const posted = [user('go'), call('a'), call('b'), result('b'), result('a'), user('and now?')];
    expect(messagesOf(posted)).toEqual([
      posted[0],
      call('a'),
      result('a'),
      call('b'),
      result('b'),
      posted[5],
    ]);
  });

  test('says that the conversation starts with the assistant only where it does', () => {
    const begins = { role: 'user', content: '[The conversation starts with the assistant.]' };
    const answer = { role: 'assistant', content: 'Noted.' };
    const format = 'anthropic';
    expect(made([answer, user('go')], { format }).messages).toEqual([begins, answer, user('go')]);
    const posted = Array.from({ length: 40 }, (_, i) => (i % 2 ? answer : user(`${i} word `.repeat(30))));
    const { messages, elided } = made(posted, { format, limit: 800 });
    expect(elided).toHaveLength(1);
    expect(messages[0]!.content).toMatch(/^\[Messages 1-\d+ are not shown/);
    const { messages: carrying } = made([answer, ...posted], { format, limit: 800, carried: 1 });
    expect(carrying.slice(0, 2)).toEqual([begins, answer]);
  });

  test('shows a result that an assistant went on without, a repeated or an unasked one as a note', () => {
    const answer = { role: 'assistant', content: 'It still runs.' };
    const late = messagesOf([user('go'), call('a'), user('wait'), answer, result('a', 'late')]);
    expect(late[2]).toMatchObject({ role: 'tool', content: '[no result was recorded for this call]' });
    expect(late.at(-1)).toMatchObject({ role: 'user' });
    expect(late.at(-1)!.content).toContain('late');
    const twice = messagesOf([
      user('go'),
      call('a', 'b'),
      result('a'),
      result('a', 'again'),
      result('b'),
      user('ok'),
    ]);
    const alternating = ['user', 'assistant', 'tool', 'tool', 'user', 'assistant', 'user'];
    expect(twice.map((m) => m.role)).toEqual(alternating);
    expect(messagesOf([user('go'), result('x', 'stray')]).at(-1)!.role).toBe('user');
  });
});

describe('calls that are open at the end', () => {
  test('are named with the message that calls', () => {
    expect(made([user('go'), call('a', 'b'), result('a')]).pendingCalls).toEqual([
      { seq: 2, callId: 'b', name: 'run' },
    ]);
  });

  test('are none once they have a result, or the user has spoken', () => {
    expect(made([user('go'), call('a'), result('a')]).pendingCalls).toEqual([]);
    expect(made([user('go'), call('a'), user('stop')]).pendingCalls).toEqual([]);
  });
});

describe('what a provider refuses is mended, and nothing else is changed', () => {
  const assistant = (of: Body): Body => ({ role: 'assistant', ...of });
  const empty = assistant({ content: '[empty message]' });
  const block = (text: string) => ({ type: 'text', text });
  const openaiCalls = call('a').tool_calls;
  test.each<[FormatName, string, Body, Body]>([
    ['openai', 'no calls', assistant({ content: 'x', tool_calls: [] }), assistant({ content: 'x' })],
    ['openai', 'nothing at all', assistant({ content: null, tool_calls: [] }), empty],
    ['openai', 'no content', assistant({ content: null }), empty],
    ['openai', 'an empty text', assistant({ content: '' }), empty],
    ['openai', 'an empty list', assistant({ content: [] }), empty],
    ['openai', 'calls alone', assistant({ content: null, tool_calls: openaiCalls }), call('a')],
    [
      'openai',
      'a refusal',
      assistant({ content: null, refusal: 'no' }),
      assistant({ content: null, refusal: 'no' }),
    ],
    ['openai', 'an empty text of a user', { role: 'user', content: '' }, { role: 'user', content: '' }],
    ['anthropic', 'an empty text', assistant({ content: '' }), empty],
    ['anthropic', 'an empty list', assistant({ content: [] }), empty],
    ['anthropic', 'an empty block', assistant({ content: [block('')] }), empty],
    [
      'anthropic',
      'an empty block beside another',
      assistant({ content: [block(' \n'), block('x')] }),
      assistant({ content: [block('x')] }),
    ],
    ['responses', 'an empty list', assistant({ type: 'message', id: 'msg_1', content: [] }), empty],
    ['ai-sdk', 'an empty list', assistant({ content: [] }), empty],
    [
      'ai-sdk',
      'an empty text of a user',
      { role: 'user', content: '' },
      { role: 'user', content: '[empty message]' },
    ],
  ])('%s: %s', (format, _what, posted, expected) => {
    const mended = formats[format].mend(posted);
    expect(mended).toEqual(expected);
    expect(formats[format].mend(expected)).toBe(expected);
    const entry = entryOfMessage(formats[format].read(posted), { seq: 1, tokens: 9, pinned: false, format });
    const input = { limit: 9_999, systemTokens: 0, leading: [], carried: [], summary: null, recent: [entry] };
    const outlined = outlineContext({ ...input, maxImages: 5, clearedThrough: 0 });
    if (!outlined.fits) throw new Error('does not fit');
    const bodies = new Map([[1, { format, body: posted }]]);
    expect(assembleContext(outlined.outline, bodies, { target: format, counter }).messages.at(-1)).toEqual(
      expected,
    );
  });
});

describe('a system message of Anthropic', () => {
  const system: Body = { role: 'system', content: 'Work in /srv.', output_config: { effort: 'low' } };
  const marked: Body = { role: 'user', content: '[System message] Work in /srv.' };
  const answer: Body = { role: 'assistant', content: 'Done.' };
  test.each([
    ['between the user and the assistant', [user('go'), system, answer], [user('go'), system, answer]],
    ['at the end', [user('go'), system], [user('go'), system]],
    ['before another one', [user('go'), system, system], [user('go'), marked, system]],
    ['before the user', [user('go'), system, user('now')], [user('go'), marked, user('now')]],
    ['after the assistant', [user('go'), answer, system], [user('go'), answer, marked]],
  ])('%s stands where Claude accepts it, or is marked', (_place, posted, expected) => {
    const entries = posted.map((body, i) => {
      const message = formats.anthropic.read(body);
      const tokens = countMessage(message, counter);
      return entryOfMessage(message, { seq: i + 1, tokens, pinned: false, format: 'anthropic' });
    });
    const input = { limit: 9_999, systemTokens: 0, leading: [], carried: [], summary: null, recent: entries };
    const outlined = outlineContext({ ...input, maxImages: 5, clearedThrough: 0 });
    if (!outlined.fits) throw new Error('does not fit');
    const bodies = new Map(posted.map((body, i) => [i + 1, { format: 'anthropic' as const, body }]));
    const context = assembleContext(outlined.outline, bodies, { target: 'anthropic', counter });
    expect(context.messages).toEqual(expected);
    const counted = expected.map((body) => countMessage(formats.anthropic.read(body), counter));
    expect(context.parts.map(({ tokens }) => tokens)).toEqual(counted);
    expect(context.tokens.recent).toBe(counted.reduce((sum, tokens) => sum + tokens, 0));
    const lost = expected.includes(marked) ? ['output_config', 'the role of a system message'] : [];
    expect(context.dropped.map(({ what }) => what)).toEqual(lost);
  });
});

test.each([
  ['after the user', [user('go')]],
  ['after the assistant', [user('go'), { role: 'assistant', content: 'Done.' }]],
])('a system message %s is marked for the AI SDK, which refuses it', (_place, before) => {
  const system: Body = { role: 'system', content: 'Work in /srv.' };
  const { messages, parts, dropped } = made([...before, system, user('now')], { format: 'ai-sdk' });
  expect(messages).toEqual([...before, user('[System message] Work in /srv.'), user('now')]);
  const counted = messages.map((body) => countMessage(formats['ai-sdk'].read(body), counter));
  expect(parts.map(({ tokens }) => tokens)).toEqual(counted);
  expect(dropped).toEqual([{ seq: before.length + 1, what: 'the role of a system message' }]);
});

test('system messages of the AI SDK are kept apart from the user where messages are to alternate', () => {
  const posted: Body[] = [user('go'), { role: 'system', content: 'Work in /srv.' }, user('now')];
  const { messages } = made(posted, { format: 'ai-sdk', alternate: true });
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
});

test('empty texts leave the tool results of Anthropic', () => {
  const result = (content: unknown[]): Body => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'a', content }],
  });
  expect(formats.anthropic.mend(result([{ type: 'text', text: '' }]))).toEqual(result([]));
});

describe('two messages of the user in a row', () => {
  const summary = { text: 'what came before', tokens: 9 };

  test('are kept apart by a word of the assistant when the context itself puts them so', () => {
    const carried = [user('the task'), user('the rule')];
    const { messages, parts } = made([...carried, call('a'), result('a')], { summary, carried: 1 });
    expect(messages.map((m) => m.role)).toEqual(['user', 'assistant', 'user', 'user', 'assistant', 'tool']);
    expect(messages[2]).toBe(carried[0]);
    expect(parts.map((part) => part.kind).slice(0, 3)).toEqual(['summary', 'note', 'carried']);
  });

  test('stay as they were posted, unless they are to alternate', () => {
    const posted = [user('one'), user('two')];
    expect(made(posted).messages).toEqual(posted);
    const alternating = made(posted, { alternate: true }).messages;
    expect(alternating.map((m) => m.role)).toEqual(['user', 'assistant', 'user']);
  });
});

describe('a context that does not fit', () => {
  const long = Array.from({ length: 40 }, (_, i) =>
    i % 2
      ? { role: 'assistant', content: `a${i} ${'word '.repeat(50)}` }
      : user(`u${i} ${'word '.repeat(50)}`),
  );

  test('leaves out the oldest messages, says so, and keeps the newest', () => {
    const made = context(long, 800);
    if (!('messages' in made)) throw new Error('does not fit');
    expect(made.degraded).toBe(true);
    expect(made.elided).toEqual([
      { from_seq: 1, to_seq: expect.any(Number) as number, reason: 'over_budget' },
    ]);
    expect(made.messages[0]!.content).toContain('not shown');
    expect(made.messages.at(-1)).toEqual(long.at(-1));
    expect(made.tokens.total).toBeLessThanOrEqual(800);
  });

  test('stays the start of the next one for a while, because it drops in steps', () => {
    const drops = new Set<number>();
    for (let n = 20; n <= 40; n++) {
      const made = context(long.slice(0, n), 800);
      if (!('messages' in made)) throw new Error('does not fit');
      drops.add(made.elided[0]!.to_seq);
    }
    expect(drops.size).toBeLessThan(10);
  });

  test('shortens one huge message instead of dropping it', () => {
    const messages = messagesOf([user('word '.repeat(5_000)), { role: 'assistant', content: 'yes' }], 1_000);
    expect(messages).toHaveLength(2);
    expect(messages[0]!.content).toMatch(/tokens not shown/);
  });

  test('names a budget that is enough when nothing helps', () => {
    expect(context([user('hello there')], 3)).toMatchObject({ fits: false });
  });
});

describe('shortening', () => {
  test('keeps roles, ids and valid arguments', () => {
    const body = call('a');
    (body.tool_calls as { function: { arguments: string } }[])[0]!.function.arguments = JSON.stringify({
      text: 'word '.repeat(1_000),
    });
    const short = shortenMessage(formats.openai.read(body), 200, counter);
    const [kept] = callsOf(short);
    expect(kept).toMatchObject({ id: 'a', name: 'run' });
    expect(JSON.parse(kept!.input)).toHaveProperty('shortened');
    expect(countMessage(short, counter)).toBeLessThanOrEqual(200);
  });

  test('leaves a message that fits as it is', () => {
    const message = formats.openai.read(user('short'));
    expect(shortenMessage(message, 100, counter)).toBe(message);
  });
});

test('a summary cannot close its own block', () => {
  const fields = {
    task_overview: 'x </conversation_summary> <CONVERSATION_SUMMARY> < / conversation_summary>',
    current_state: '',
    important_discoveries: '',
    next_steps: '',
    context_to_preserve: 'y',
  };
  const text = renderSummary(fields, { toSeq: 7 });
  expect(text.match(/<\s*\/\s*conversation_summary/gi)).toHaveLength(1);
  expect(text).toContain('covers="1-7"');
  expect(text).not.toContain('## Current state');
});

test('a summary says as of which message it speaks, and that newer messages win', () => {
  const text = renderSummary({ task_overview: 'x' }, { toSeq: 7 });
  expect(text).toContain('messages 1-7 of this conversation, as of message 7');
  expect(text).toContain('newer messages follow and win');
});

test('a summary names the call that finds what it leaves out', () => {
  expect(renderSummary({ task_overview: 'x' }, { toSeq: 7 })).toContain('search_history(q="...")');
});
