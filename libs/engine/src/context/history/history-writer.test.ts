import { beforeAll, describe, expect, test } from 'vitest';
import {
  assembleContext,
  countMessage,
  entriesOf,
  entryOfMessage,
  formats,
  groupUnits,
  HistoryWriter,
  loadCounter,
  outlineContext,
  type Body,
  type FormatName,
  type MessageCounter,
  type WrittenHistory,
} from '../../index.js';

let counter: MessageCounter;
beforeAll(async () => {
  counter = { text: await loadCounter('o200k'), perMessage: 4 };
});

const call = (id: string): Body => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: '{}' } }],
});
const result = (id: string): Body => ({ role: 'tool', tool_call_id: id, content: 'done' });
const of = (role: string, content: unknown): Body => ({ role, content });
const cache_control = { type: 'ephemeral' };
const marked = (text: string): Body => of('user', [{ type: 'text', text, cache_control }]);

function read(posted: readonly Body[], format: FormatName) {
  const entries = posted.map((body, i) => {
    const message = formats[format].read(body);
    const tokens = countMessage(message, counter);
    return entryOfMessage(message, { seq: i + 1, tokens, pinned: false, format });
  });
  return { entries, bodies: new Map(posted.map((body, i) => [i + 1, { format, body }])) };
}

/** The history written in batches of so many units. */
function written(posted: readonly Body[], format: FormatName, target: FormatName, size: number) {
  const { entries, bodies } = read(posted, format);
  const units = groupUnits(entries);
  const writer = new HistoryWriter(target, counter);
  const batches: WrittenHistory[] = [];
  for (let i = 0; i < units.length; i += size) {
    const batch = units.slice(i, i + size);
    const seqs = batch.flatMap(entriesOf).map(({ seq }) => seq);
    batches.push(writer.add(batch, new Map(seqs.map((seq) => [seq, bodies.get(seq)!]))));
  }
  batches.push(writer.end());
  return {
    batches,
    messages: batches.flatMap(({ messages }) => messages),
    dropped: batches.flatMap(({ dropped }) => dropped),
  };
}

/** The same messages as a context without a limit. */
function asContext(posted: readonly Body[], format: FormatName, target: FormatName) {
  const { entries, bodies } = read(posted, format);
  const outlined = outlineContext({
    limit: Infinity,
    systemTokens: 0,
    leading: [],
    carried: [],
    summary: null,
    recent: entries,
    maxImages: Infinity,
    clearedThrough: 0,
  });
  if (!outlined.fits) throw new Error('does not fit');
  return assembleContext(outlined.outline, bodies, { target, counter });
}

const histories: Record<string, { format: FormatName; target: FormatName; posted: Body[] }> = {
  'the assistant speaks first, and often': {
    format: 'openai',
    target: 'anthropic',
    posted: [call('a'), result('a'), call('b'), result('b'), of('assistant', 'c'), of('user', 'd')],
  },
  'system messages between others': {
    format: 'anthropic',
    target: 'anthropic',
    posted: ['user', 'system', 'user', 'system', 'assistant', 'user', 'system', 'system', 'assistant'].map(
      (role, i) => of(role, `${i}`),
    ),
  },
  'marks of a cached prefix': {
    format: 'openai',
    target: 'openai',
    posted: ['a', 'b', 'c', 'd'].flatMap((text) => [marked(text), of('assistant', text)]),
  },
  'a note at the end of a batch': {
    format: 'openai',
    target: 'openai',
    posted: [of('user', 'a'), result('gone'), of('user', 'b'), of('assistant', 'c')],
  },
  'losses of the format': {
    format: 'openai',
    target: 'anthropic',
    posted: ['a', 'b', 'c'].map((name) => ({ role: 'user', name, content: 'x' })),
  },
};

describe.each(Object.entries(histories))('%s', (_, { format, target, posted }) => {
  test.each([1, 2, 3, 100])('in batches of %d units is what one context says', (size) => {
    const { messages, dropped } = written(posted, format, target, size);
    const context = asContext(posted, format, target);
    expect(messages.map(({ body }) => body)).toEqual(context.messages);
    expect(messages.map(({ seq }) => seq)).toEqual(context.parts.map(({ seq }) => seq));
    expect(dropped).toEqual(context.dropped);
  });
});

test('a loss is named once its message was returned', () => {
  const { posted, format, target } = histories['losses of the format']!;
  const { batches } = written(posted, format, target, 1);
  expect(batches.map(({ messages }) => messages.map(({ seq }) => seq))).toEqual([[], [1], [2], [3]]);
  expect(batches.map(({ dropped }) => dropped.map(({ seq }) => seq))).toEqual([[], [1], [2], [3]]);
});

test('messages without a mark do not wait, and marked ones for a hundred messages at most', () => {
  const later = Array.from({ length: 300 }, (_, i) => of(i % 2 === 0 ? 'user' : 'assistant', `${i}`));
  const sizes = (posted: Body[]) =>
    written(posted, 'anthropic', 'anthropic', 10).batches.map(({ messages }) => messages.length);
  expect(sizes(later).slice(0, 3)).toEqual([9, 10, 10]);
  expect(sizes([marked('a'), ...later]).slice(0, 12)).toEqual([
    ...Array.from({ length: 10 }, () => 0),
    10,
    109,
  ]);
  const { messages } = written([marked('a'), ...later], 'anthropic', 'anthropic', 10);
  expect(messages[0]!.body).toEqual(marked('a'));
});

describe('a mark that more messages follow than are held back', () => {
  const talk = (count: number) =>
    Array.from({ length: count }, (_, i) => of(i % 2 ? 'user' : 'assistant', `${i}`));
  const marksOf = (posted: readonly Body[]) =>
    written(posted, 'openai', 'openai', 3).messages.flatMap(({ body }, i) =>
      JSON.stringify(body).includes('cache_control') ? [i] : [],
    );

  test('stays: the prefix that it caches is the largest', () => {
    expect(marksOf([marked('a book'), ...talk(250)])).toEqual([0]);
  });

  test('stays beside the newest one, and there are never more than two', () => {
    const talks = [marked('a book'), ...talk(150), marked('then'), ...talk(150), marked('now'), ...talk(5)];
    expect(marksOf(talks)).toEqual([0, 302]);
    expect(marksOf([marked('one'), marked('two'), marked('three'), ...talk(150)])).toHaveLength(1);
  });
});
