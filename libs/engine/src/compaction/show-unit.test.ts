import { beforeAll, describe, expect, test } from 'vitest';
import {
  assembleContext,
  countMessage,
  entryOfMessage,
  formats,
  loadCounter,
  outlineContext,
  type Body,
  type Context,
  type FormatName,
  type MessageCounter,
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
  return assembleContext(outlined.outline, bodies, target, counter);
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
