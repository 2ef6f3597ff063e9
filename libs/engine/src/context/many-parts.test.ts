import { beforeAll, describe, expect, test } from 'vitest';
import { formatNames } from '../messages/format-name.js';
import {
  answersOf,
  assembleContext,
  callsOf,
  contextWithin,
  countMessage,
  entryOfMessage,
  formats,
  loadCounter,
  shortenMessage,
  textOf,
  type Body,
  type Context,
  type FormatName,
  type MessageCounter,
} from '../index.js';

let counter: MessageCounter;
beforeAll(async () => {
  counter = { text: await loadCounter('o200k'), perMessage: 4 };
});

function within(format: FormatName, bodies: Body[], limit: number): Promise<Context | { minimum: number }> {
  const recent = bodies.map((body, i) => {
    const message = formats[format].read(body);
    const tokens = countMessage(message, counter);
    return entryOfMessage(message, { seq: i + 1, tokens, pinned: false, format });
  });
  const asked = { systemTokens: 0, leading: [], carried: [], summary: null, maxImages: 5, clearedThrough: 0 };
  const stored = new Map(bodies.map((body, i) => [i + 1, { format, body }]));
  return contextWithin({ ...asked, limit, recent }, (outline) =>
    Promise.resolve(assembleContext(outline, stored, { target: format, counter })),
  );
}

const shown = async (format: FormatName, bodies: Body[], limit: number): Promise<Context> => {
  const context = await within(format, bodies, limit);
  if ('minimum' in context) throw new Error(`needs ${context.minimum}`);
  expect(context.tokens.total).toBeLessThanOrEqual(limit);
  return context;
};

describe('a message of many short parts', () => {
  const texts = Array.from(
    { length: 600 },
    (_, i) => `Row ${i}: the order of customer ${i * 7} is on its way.`,
  );
  const messageOf: Record<FormatName, Body> = {
    openai: { role: 'user', content: texts.map((text) => ({ type: 'text', text })) },
    anthropic: { role: 'user', content: texts.map((text) => ({ type: 'text', text })) },
    'ai-sdk': { role: 'user', content: texts.map((text) => ({ type: 'text', text })) },
    responses: {
      type: 'message',
      role: 'user',
      content: texts.map((text) => ({ type: 'input_text', text })),
    },
  };

  test.each(formatNames)('is shown shortened (%s)', async (format) => {
    const { messages, elided } = await shown(format, [messageOf[format]], 8_000);
    expect(elided).toEqual([{ from_seq: 1, to_seq: 1, reason: 'shortened' }]);
    const message = formats[format].read(messages[0]!);
    const text = textOf(message);
    expect(text).toMatch(
      /^Row 0: [^]*\n\[\.\.\. about \d+ tokens not shown \.\.\.\]\n[^]*Row 599: .* way\.$/,
    );
    // As much is shown as half of the limit takes.
    expect(countMessage(message, counter)).toBeGreaterThan(3_000);
  });

  test('is shown shortened when they are images', () => {
    const part = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aaaa' } };
    const message = { role: 'user', content: Array.from({ length: 900 }, () => part) };
    const read = formats.anthropic.read(message);
    const short = shortenMessage(read, 1_000, counter);
    expect(countMessage(short, counter)).toBeLessThanOrEqual(1_000);
    expect(textOf(short)).toContain('[image not shown]');
  });

  test('keeps each part when the long ones can be shortened', () => {
    const long = 'All work and no play. '.repeat(500);
    const read = formats.anthropic.read({
      role: 'user',
      content: [...texts.slice(0, 5), long].map((text) => ({ type: 'text', text })),
    });
    const { parts } = shortenMessage(read, 400, counter);
    expect(parts).toHaveLength(6);
    expect(parts.slice(0, 5)).toEqual(read.parts.slice(0, 5));
  });
});

describe('a step of many small calls', () => {
  const ids = Array.from({ length: 120 }, (_, i) => `call_${i}`);
  const args = (id: string): Body => ({ path: `src/features/${id}/index.ts`, mode: 'read', lines: [1, 40] });
  const result = (id: string): string =>
    `The file src/features/${id}/index.ts has 40 lines and exports one class.`;
  const stepOf: Record<FormatName, Body[]> = {
    openai: [
      {
        role: 'assistant',
        content: null,
        tool_calls: ids.map((id) => ({
          id,
          type: 'function',
          function: { name: 'read_file', arguments: JSON.stringify(args(id)) },
        })),
      },
      ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: result(id) })),
    ],
    anthropic: [
      {
        role: 'assistant',
        content: ids.map((id) => ({ type: 'tool_use', id, name: 'read_file', input: args(id) })),
      },
      {
        role: 'user',
        content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: result(id) })),
      },
    ],
    'ai-sdk': [
      {
        role: 'assistant',
        content: ids.map((id) => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: 'read_file',
          input: args(id),
        })),
      },
      {
        role: 'tool',
        content: ids.map((id) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: 'read_file',
          output: { type: 'text', value: result(id) },
        })),
      },
    ],
    responses: [
      ...ids.map((id) => ({
        type: 'function_call',
        call_id: id,
        name: 'read_file',
        arguments: JSON.stringify(args(id)),
      })),
      ...ids.map((id) => ({ type: 'function_call_output', call_id: id, output: result(id) })),
    ],
  };

  test.each(formatNames)('is shown with each call and its result (%s)', async (format) => {
    const { messages } = await shown(format, [...stepOf[format]], 4_096);
    const read = messages.map((body) => formats[format].read(body));
    expect(read.flatMap((message) => callsOf(message).map(({ id }) => id))).toEqual(ids);
    expect(read.flatMap((message) => answersOf(message))).toEqual(ids);
    for (const { input } of read.flatMap(callsOf)) expect(JSON.parse(input)).toBeTypeOf('object');
    const json = JSON.stringify(messages);
    expect(json).toContain('not shown');
    // What is newest stays longest.
    expect(json).toContain(result(ids.at(-1)!));
  });

  test.each(formatNames)('or the answer names a larger limit, until one is enough (%s)', async (format) => {
    let limit = 300;
    for (let round = 0; round < 4; round++) {
      const answer = await within(format, stepOf[format], limit);
      if (!('minimum' in answer)) break;
      expect(answer.minimum).toBeGreaterThan(limit);
      limit = answer.minimum;
    }
    expect(limit).toBeGreaterThan(300);
    expect((await shown(format, stepOf[format], limit)).degraded).toBe(true);
  });
});
