import { beforeAll, describe, expect, test } from 'vitest';
import {
  countMessage,
  formats,
  loadCounter,
  mediaMark,
  mediaTokens,
  type Body,
  type FormatName,
} from '../index.js';

let count: (format: FormatName, body: Body) => number;
beforeAll(async () => {
  const counter = { text: await loadCounter('o200k'), perMessage: 4 };
  count = (format, body) => countMessage(formats[format].read(body), counter);
});

/** Base64 as long as that of a generated image. */
const data = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) >> 3)).toString('base64');
const mark = mediaMark('0f'.repeat(32), mediaTokens);

const generated = (result: unknown): Body => ({
  type: 'image_generation_call',
  id: 'ig_1',
  status: 'completed',
  revised_prompt: 'A grey tabby cat that hugs an otter with an orange scarf',
  result,
});

/** Blocks that only their own format knows, with the data of one medium in them. */
const blocks: [string, FormatName, (data: string) => Body][] = [
  ['an image that OpenAI generated', 'responses', generated],
  [
    'an image that a program of OpenAI made',
    'responses',
    (image) => ({
      type: 'code_interpreter_call',
      id: 'ci_1',
      code: 'plot()',
      outputs: [
        { type: 'logs', logs: 'done' },
        { type: 'image', url: image === mark ? mark : `data:image/png;base64,${image}` },
      ],
    }),
  ],
  [
    'a PDF that Anthropic fetched',
    'anthropic',
    (pdf) => ({
      role: 'assistant',
      content: [
        {
          type: 'server_tool_use',
          id: 'srv_1',
          name: 'web_fetch',
          input: { url: 'https://example.com/a.pdf' },
        },
        {
          type: 'web_fetch_tool_result',
          tool_use_id: 'srv_1',
          content: {
            type: 'web_fetch_result',
            url: 'https://example.com/a.pdf',
            content: {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: pdf },
            },
          },
        },
      ],
    }),
  ],
  [
    'an image that a tool of OpenAI generated for the AI SDK',
    'ai-sdk',
    (result) => ({
      role: 'assistant',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'ig_1',
          toolName: 'image_generation',
          output: { type: 'json', value: { result } },
        },
      ],
    }),
  ],
];

describe.each(blocks)('%s', (_what, format, block) => {
  test('counts as one medium beside its other fields, not as the text of its data', () => {
    const tokens = count(format, block(data));
    expect(tokens).toBeGreaterThan(mediaTokens);
    expect(tokens).toBeLessThan(mediaTokens + 150);
  });

  test('counts the same once its data are stored elsewhere', () => {
    expect(count(format, block(mark))).toBe(count(format, block(data)));
  });
});

test('a small generated image is an image too, and a call that made none is its fields', () => {
  const none = count('responses', generated(null));
  expect(none).toBeLessThan(80);
  expect(count('responses', generated('aGk='))).toBe(count('responses', generated(data)));
});

test('what only looks like data is counted as the text that a model reads', () => {
  const logs = { type: 'code_interpreter_call', id: 'ci_1', outputs: [{ type: 'logs', logs: data }] };
  expect(count('responses', logs)).toBeGreaterThan(50_000);
  const broken = { type: 'something_new', data: `${data.slice(0, -1)}!` };
  expect(count('responses', broken)).toBeGreaterThan(50_000);
});
