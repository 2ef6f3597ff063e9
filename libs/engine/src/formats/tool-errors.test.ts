import { describe, expect, test } from 'vitest';
import { formatNames, formats, resultsOf, type Body, type FormatName } from '../index.js';

const text = 'the disk is full';
const stub = 'a stub that names the output';

/** A failed tool call in each format. */
const failures: [FormatName, string, Body][] = [
  ['openai', 'marked text', { role: 'tool', tool_call_id: 'a', content: `[tool error] ${text}` }],
  [
    'openai',
    'a marked part',
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: `[tool error] ${text}` }] },
  ],
  [
    'responses',
    'marked text',
    { type: 'function_call_output', call_id: 'a', output: `[tool error] ${text}` },
  ],
  [
    'anthropic',
    'is_error',
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: text, is_error: true }] },
  ],
  ...[
    { type: 'error-text', value: text },
    { type: 'error-json', value: { message: text } },
    { type: 'execution-denied', reason: text },
  ].map((output): [FormatName, string, Body] => [
    'ai-sdk',
    output.type,
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'run', output }] },
  ]),
];

/** Whether this format's own error flag is set. */
const saysError: Record<FormatName, (body: Body) => boolean> = {
  openai: (body) => String(body.content).startsWith('[tool error] '),
  responses: (body) => String(body.output).startsWith('[tool error] '),
  anthropic: (body) => (body.content as Body[])[0]!.is_error === true,
  'ai-sdk': (body) => /^error-/.test(String(((body.content as Body[])[0]!.output as Body).type)),
};

describe.each(failures)('a failed tool call of %s (%s)', (format, _what, body) => {
  const of = formats[format];
  const [failed] = of.resultContents(body);
  const offloaded = of.withResultContents(body, new Map([[0, of.asResultContent(stub, failed)]]));
  const others = formatNames.filter((target) => target !== format);

  test.each([
    ['whole', body, text],
    ['offloaded', offloaded, stub],
  ] as const)('%s stays an error in every format', (_how, posted, text) => {
    const message = formats[format].read(posted);
    expect(resultsOf(message)).toMatchObject([{ isError: true }]);
    for (const target of others) {
      const [written] = formats[target].write([message]).bodies;
      expect(JSON.stringify(written!.body)).toContain(text);
      expect(saysError[target](written!.body), target).toBe(true);
    }
  });
});

test.each(failures)(
  'the content of an offloaded error of %s (%s) comes back from its text',
  (format, _what, body) => {
    const [content] = formats[format].resultContents(body);
    const inPlace = formats[format].asResultContent(stub, content);
    expect(formats[format].asResultContent(stub, inPlace)).toEqual(inPlace);
  },
);
