import { describe, expect, test } from 'vitest';
import {
  formats,
  offloadableResultsOf,
  resultsOf,
  textOfParts,
  type Body,
  type FormatName,
} from '../index.js';

const text = 'line 1\nline 2';
const stub = 'a stub that names the output';
const server = (type: string, content: unknown, more: Body = {}): Body => ({
  role: 'assistant',
  content: [
    { type: 'text', text: 'I looked.' },
    { type: 'mcp_tool_use', id: 'srv_1', name: 'crawl', server_name: 'web', input: {} },
    { type, tool_use_id: 'srv_1', content, ...more },
  ],
});
const ran = (type: string, more: Body = {}): Body => ({
  type,
  stdout: text,
  stderr: '',
  return_code: 0,
  content: [],
  ...more,
});
const page = (citations: unknown, source: Body): Body => ({
  type: 'web_fetch_result',
  url: 'https://example.com',
  retrieved_at: null,
  content: { type: 'document', title: 'Example', citations, source },
});
const plain = { type: 'text', media_type: 'text/plain', data: text };
const sdk = (output: Body): Body => ({
  role: 'assistant',
  content: [
    { type: 'tool-call', toolCallId: 'srv_1', toolName: 'crawl', input: {}, providerExecuted: true },
    { type: 'tool-result', toolCallId: 'srv_1', toolName: 'crawl', output },
  ],
});

/** Results whose text may be replaced: the format, what it is, the message, its tool, and what replaces the block. */
const replaceable: [FormatName, string, Body, string, unknown][] = [
  [
    'responses',
    'mcp_call',
    { type: 'mcp_call', id: 'mcp_1', server_label: 'web', name: 'crawl', arguments: '{}', output: text },
    'crawl',
    { output: stub },
  ],
  [
    'responses',
    'code_interpreter_call',
    {
      type: 'code_interpreter_call',
      id: 'ci_1',
      code: 'run()',
      container_id: 'c',
      status: 'completed',
      outputs: [
        { type: 'logs', logs: text },
        { type: 'image', url: 'https://example.com/a.png' },
      ],
    },
    'code_interpreter',
    {
      outputs: [
        { type: 'logs', logs: stub },
        { type: 'image', url: 'https://example.com/a.png' },
      ],
    },
  ],
  [
    'responses',
    'file_search_call',
    {
      type: 'file_search_call',
      id: 'fs_1',
      queries: ['pump'],
      status: 'completed',
      results: [{ file_id: 'f', filename: 'line 1', score: 1, text: 'line 2' }],
    },
    'file_search',
    { results: [{ text: stub }] },
  ],
  [
    'anthropic',
    'mcp_tool_result',
    server('mcp_tool_result', [{ type: 'text', text }]),
    'crawl',
    { content: [{ type: 'text', text: stub }] },
  ],
  ['anthropic', 'a text of mcp_tool_result', server('mcp_tool_result', text), 'crawl', { content: stub }],
  [
    'anthropic',
    'code_execution_tool_result',
    server(
      'code_execution_tool_result',
      ran('code_execution_result', { stdout: 'line 1', stderr: 'line 2' }),
    ),
    'code_execution',
    { content: ran('code_execution_result', { stdout: stub }) },
  ],
  [
    'anthropic',
    'bash_code_execution_tool_result',
    server('bash_code_execution_tool_result', ran('bash_code_execution_result')),
    'bash_code_execution',
    { content: ran('bash_code_execution_result', { stdout: stub }) },
  ],
  [
    'anthropic',
    'text_editor_code_execution_tool_result',
    server('text_editor_code_execution_tool_result', {
      type: 'text_editor_code_execution_view_result',
      file_type: 'text',
      content: text,
    }),
    'text_editor_code_execution',
    { content: { type: 'text_editor_code_execution_view_result', file_type: 'text', content: stub } },
  ],
  [
    'anthropic',
    'web_fetch_tool_result',
    server('web_fetch_tool_result', page({ enabled: false }, plain)),
    'web_fetch',
    { content: page({ enabled: false }, { ...plain, data: stub }) },
  ],
  ['ai-sdk', 'text', sdk({ type: 'text', value: text }), 'crawl', { output: { type: 'text', value: stub } }],
  [
    'ai-sdk',
    'a list of texts',
    sdk({ type: 'json', value: [{ type: 'text', text }] }),
    'crawl',
    { output: { type: 'json', value: [{ type: 'text', text: stub }] } },
  ],
  [
    'ai-sdk',
    'code_execution_result',
    sdk({ type: 'json', value: ran('code_execution_result') }),
    'crawl',
    { output: { type: 'json', value: ran('code_execution_result', { stdout: stub }) } },
  ],
];

const last = (body: Body): Body => (Array.isArray(body.content) ? (body.content as Body[]).at(-1)! : body);

describe.each(replaceable)('a result of the provider: %s, %s', (format, _what, body, tool, replaced) => {
  const of = formats[format];
  const message = of.read(body);

  test('is offered with its text and its tool, and answers no call', () => {
    const [result, ...more] = offloadableResultsOf(message);
    expect(more).toEqual([]);
    expect(textOfParts(result!.parts)).toBe(text);
    expect(result!.name).toBe(tool);
    expect(resultsOf(message)).toEqual([]);
  });

  test('keeps its shape with another text, and is found again behind it', () => {
    const [whole] = of.resultContents(body);
    const stubbed = of.withResultContents(body, new Map([[0, of.asResultContent(stub, whole)]]));
    expect(last(stubbed)).toEqual({ ...last(body), ...(replaced as Body) });
    expect(textOfParts(offloadableResultsOf(of.read(stubbed))[0]!.parts)).toBe(stub);
    expect(of.withResultContents(stubbed, new Map([[0, whole]]))).toEqual(body);
  });
});

const sealed: [FormatName, string, Body][] = [
  [
    'responses',
    'a search of the web',
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'pump' } },
  ],
  [
    'responses',
    'a drawn image',
    { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' },
  ],
  [
    'responses',
    'a failed call',
    { type: 'mcp_call', id: 'mcp_1', name: 'crawl', output: null, error: { type: 'x' } },
  ],
  [
    'anthropic',
    'pages that were found',
    server('web_search_tool_result', [
      { type: 'web_search_result', url: 'https://a', encrypted_content: 'x' },
    ]),
  ],
  [
    'anthropic',
    'encrypted text of a program',
    server('code_execution_tool_result', {
      type: 'encrypted_code_execution_result',
      encrypted_stdout: 'x',
      stderr: '',
      return_code: 0,
      content: [],
    }),
  ],
  ['anthropic', 'a page that is cited', server('web_fetch_tool_result', page({ enabled: true }, plain))],
  [
    'anthropic',
    'a fetched PDF',
    server(
      'web_fetch_tool_result',
      page(null, { type: 'base64', media_type: 'application/pdf', data: 'aGk=' }),
    ),
  ],
  [
    'anthropic',
    'an error',
    server('code_execution_tool_result', {
      type: 'code_execution_tool_result_error',
      error_code: 'unavailable',
    }),
  ],
  ['anthropic', 'an advice', server('advisor_tool_result', { type: 'advisor_result', text })],
  ['ai-sdk', 'found pages', sdk({ type: 'json', value: [{ url: 'https://a', encryptedContent: 'x' }] })],
  [
    'ai-sdk',
    'a call that OpenAI stores',
    sdk({ type: 'json', value: { type: 'call', serverLabel: 'web', output: text } }),
  ],
];

test.each(sealed)('%s: the text of %s is not replaced', (format, _what, body) => {
  const message = formats[format].read(body);
  expect(offloadableResultsOf(message)).toEqual([]);
  expect(message.parts.at(-1)).toMatchObject({ type: 'other' });
});

test('results of the caller’s tools are counted before those of the provider, as outputs that are stored count them', () => {
  const own = { type: 'tool_result', tool_use_id: 'a', content: 'own' };
  const body = { role: 'user', content: [...(server('mcp_tool_result', text).content as Body[]), own] };
  expect(formats.anthropic.resultContents(body)).toMatchObject(['own', { type: 'mcp_tool_result' }]);
  expect(offloadableResultsOf(formats.anthropic.read(body)).map(({ callId }) => callId)).toEqual([
    'a',
    'srv_1',
  ]);
});

test.each(['anthropic', 'ai-sdk'] as const)(
  'each of the many results of a message of %s is looked at a few times when all of them change',
  (format) => {
    const many = 500;
    let looks = 0;
    const content = Array.from({ length: many }, (_, n) => ({
      get type() {
        looks++;
        return format === 'anthropic' ? 'tool_result' : 'tool-result';
      },
      ...(format === 'anthropic'
        ? { tool_use_id: `call-${n}`, content: text }
        : { toolCallId: `call-${n}`, toolName: 'sh', output: { type: 'text', value: text } }),
    }));
    const body = { role: format === 'anthropic' ? 'user' : 'tool', content };
    const of = formats[format];
    const contents = of.resultContents(body);
    expect(contents).toHaveLength(many);
    const changed = of.withResultContents(
      body,
      new Map(contents.map((one, n) => [n, of.asResultContent(stub, one)])),
    );
    expect(looks).toBeLessThan(10 * many);
    expect(of.resultContents(changed)).toEqual(contents.map((one) => of.asResultContent(stub, one)));
  },
);
