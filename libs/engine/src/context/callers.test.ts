import { expect, test } from 'vitest';
import {
  assembleContext,
  contextWithin,
  countMessage,
  entryOfMessage,
  formats,
  loadCounter,
  type Body,
  type FormatName,
} from '../index.js';

const counter = { text: await loadCounter('estimate'), perMessage: 4 };
const long = 'All work and no play. '.repeat(400);
const go: Body = { role: 'user', content: 'go' };

async function within(limit: number, format: FormatName, posted: readonly Body[]) {
  const recent = posted.map((body, i) => {
    const message = formats[format].read(body);
    return entryOfMessage(message, {
      seq: i + 1,
      tokens: countMessage(message, counter),
      pinned: false,
      format,
    });
  });
  const input = { limit, systemTokens: 0, leading: [], carried: [], summary: null, recent };
  const bodies = new Map(posted.map((body, i) => [i + 1, { format, body }]));
  const context = await contextWithin({ ...input, maxImages: 5, clearedThrough: 0 }, (outline) =>
    Promise.resolve(assembleContext(outline, bodies, { target: format, counter })),
  );
  if ('minimum' in context) throw new Error(`does not fit ${limit}`);
  return context;
}

const claudes = { type: 'code_execution_20250825', tool_id: 'prog_1' };
const openais = { type: 'program', caller_id: 'prog_1' };
const result: Body = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'done' }] };

const programs: [string, FormatName, Body[]][] = [
  [
    "in one message of Anthropic's format",
    'anthropic',
    [
      go,
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'prog_1', name: 'code_execution', input: { code: long } },
          { type: 'tool_use', id: 'a', name: 'rows', input: {}, caller: claudes },
        ],
      },
      result,
    ],
  ],
  [
    "in a later message of Anthropic's format",
    'anthropic',
    [
      go,
      {
        role: 'assistant',
        content: [{ type: 'server_tool_use', id: 'prog_1', name: 'code_execution', input: { code: long } }],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'a', name: 'rows', input: {}, caller: claudes }],
      },
      result,
    ],
  ],
  [
    'in items of the Responses API',
    'responses',
    [
      go,
      { type: 'program', id: 'pr_1', call_id: 'prog_1', code: long, fingerprint: 'ZnA' },
      { type: 'function_call', call_id: 'a', name: 'rows', arguments: '{}', caller: openais },
      { type: 'function_call_output', call_id: 'a', output: 'done', caller: openais },
    ],
  ],
];

test.each(programs)('a call does not name a program that is not shown: %s', async (_, format, posted) => {
  const { messages, parts } = await within(400, format, posted);
  const sent = JSON.stringify(messages);
  expect(sent).toContain('rows');
  expect(sent).not.toContain('prog_1');
  expect(sent).not.toContain('caller');
  expect(parts.map(({ tokens }) => tokens)).toEqual(
    messages.map((body) => countMessage(formats[format].read(body), counter)),
  );
  expect((await within(99_999, format, posted)).messages).toEqual(posted);
});
