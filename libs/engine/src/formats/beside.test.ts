import { expect, test } from 'vitest';
import { formatNames, formats, type Body, type FormatName } from '../index.js';

const options = { anthropic: { cacheControl: { type: 'ephemeral' } } };
const output = { type: 'text', value: 'done' };

/** Messages with fields beside their content. */
const posted: [FormatName, Body][] = [
  ['ai-sdk', { role: 'user', content: 'hi', providerOptions: options }],
  ['ai-sdk', { role: 'user', content: '', providerOptions: options }],
  ['ai-sdk', { role: 'system', content: 'Be brief.', providerOptions: options }],
  ['ai-sdk', { role: 'assistant', content: 'hi', providerOptions: options }],
  [
    'ai-sdk',
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'run', output }],
      providerOptions: options,
    },
  ],
  ['openai', { role: 'user', content: 'hi', cache_control: { type: 'ephemeral' } }],
  ['openai', { role: 'tool', tool_call_id: 'a', content: 'done', cache_control: { type: 'ephemeral' } }],
  ['openai', { role: 'assistant', content: 'hi', annotations: [] }],
];
const asOthers = posted.flatMap(([from, body]) =>
  formatNames.filter((to) => to !== from).map((to) => [from, to, body] as const),
);

test.each(asOthers)(
  '%s as %s: fields beside the content are no words of the message: %j',
  (from, to, body) => {
    const message = formats[from].read(body);
    const content = { ...message, parts: message.parts.filter((part) => part.type !== 'other') };
    const bodies = (one: typeof message) => formats[to].write([one]).bodies.map((written) => written.body);
    expect(bodies(message)).toEqual(bodies(content));
    const dropped = formats[to].write([message]).dropped.map(({ what }) => what);
    expect(dropped).toContainEqual(expect.stringMatching(/providerOptions|cache_control|annotations/));
  },
);

test('fields beside the content stay there where a message is written in its own format', () => {
  const body = { role: 'user', content: 'hi', cache_control: { type: 'ephemeral' } };
  expect(formats.openai.write([formats.openai.read(body)]).bodies[0]!.body).toEqual(body);
});

test('what a message has beside its content is kept where two of the assistant become one', () => {
  const two = ['first', 'second'].map((word) =>
    formats.openai.read({
      role: 'assistant',
      content: `${word} text`,
      refusal: `${word} refusal`,
      reasoning_content: `${word} thought`,
    }),
  );
  expect(formats.openai.write(two).bodies.map(({ body }) => body)).toEqual([
    {
      role: 'assistant',
      content: 'first text\nsecond text',
      refusal: 'first refusal\nsecond refusal',
      reasoning_content: 'first thought\nsecond thought',
    },
  ]);
});

test.each(formatNames)('the name of who wrote a message is kept or said to be lost: as %s', (to) => {
  const { bodies, dropped } = formats[to].write([
    formats.openai.read({ role: 'user', name: 'anna', content: 'hi' }),
  ]);
  const isKept = bodies[0]!.body.name === 'anna';
  expect(dropped.map(({ what }) => what)).toEqual(isKept ? [] : ['the name of who wrote a message']);
  expect(isKept).toBe(to === 'openai');
});
