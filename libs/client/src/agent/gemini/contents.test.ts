import { describe, expect, test } from 'vitest';
import type { GeminiContent, GeminiPart } from './content.js';
import { geminiContents, geminiHistory } from './contents.js';

const user = (...parts: GeminiPart[]): GeminiContent => ({ role: 'user', parts });
const model = (...parts: GeminiPart[]): GeminiContent => ({ role: 'model', parts });
const call = (name: string, args: Record<string, unknown> = {}): GeminiPart => ({
  functionCall: { name, args },
});
const result = (name: string, response: Record<string, unknown>): GeminiPart => ({
  functionResponse: { name, response },
});
const messagesOf = (...contents: GeminiContent[]) =>
  geminiHistory(contents).map(([message]) => message as { role: string; content: unknown });
const idsIn = (...contents: GeminiContent[]) =>
  messagesOf(...contents).flatMap(({ content }) =>
    (content as { toolCallId?: string }[]).flatMap(({ toolCallId }) => toolCallId ?? []),
  );
/** As a context gives them back: JSON, without what only JavaScript has. */
const shown = (...contents: GeminiContent[]) =>
  JSON.parse(JSON.stringify(messagesOf(...contents))) as object[];

describe('ids of calls, which the kit leaves out', () => {
  const step = [
    user({ text: 'Go.' }),
    model(call('list', { n: 1 }), call('list', { n: 2 }), call('read')),
    user(
      result('list', { result: 'one' }),
      result('read', { result: 'text' }),
      result('list', { result: 'two' }),
    ),
  ];

  test('pair results with the calls of their name, in order', () => {
    const [one, two, read, ...answers] = idsIn(...step);
    expect(answers).toEqual([one, read, two]);
    expect(new Set([one, two, read]).size).toBe(3);
  });

  test('are the same each time, whatever follows, and others where something else is called', () => {
    expect(idsIn(...step, ...step).slice(0, 6)).toEqual(idsIn(...step));
    const other = [step[0]!, model(call('list', { n: 3 }))];
    expect(idsIn(...other)[0]).not.toBe(idsIn(...step)[0]);
    expect(new Set(idsIn(...step, ...step)).size).toBe(6);
  });

  test('that the caller gave are kept and sent, those made here are not sent', () => {
    const given = model({ functionCall: { id: 'own-1', name: 'list', args: {} } });
    const answered = user({ functionResponse: { id: 'own-1', name: 'list', response: { result: 'x' } } });
    expect(idsIn(given, answered)).toEqual(['own-1', 'own-1']);
    // Of another process's history: nothing is the caller's own.
    expect(geminiContents(shown(given, answered), [])).toEqual([given, answered]);
    expect(geminiContents(shown(...step), [])).toEqual(step);
  });
});

describe('what a tool returned', () => {
  test.each<[string, Record<string, unknown>, object]>([
    ['a text', { result: 'all' }, { type: 'text', value: 'all' }],
    ['a text of MCP', { output: 'all' }, { type: 'text', value: 'all' }],
    ['an error', { error: 'no such file' }, { type: 'error-text', value: 'no such file' }],
    ['an error with fields', { error: { code: 5 } }, { type: 'error-json', value: { code: 5 } }],
    ['an object', { total: 5, orders: [] }, { type: 'json', value: { total: 5, orders: [] } }],
    ['a result that is no text', { result: 5 }, { type: 'json', value: { result: 5 } }],
    ['nothing', {}, { type: 'json', value: {} }],
  ])('%s', (_, response, output) => {
    const contents = [model(call('run')), user(result('run', response))];
    expect(messagesOf(...contents)[1]!.content).toEqual([
      { type: 'tool-result', toolCallId: idsIn(...contents)[0], toolName: 'run', output },
    ]);
    const [back] = geminiContents(shown(...contents).slice(1), []);
    expect(back!.parts![0]!.functionResponse!.response).toEqual(
      'output' in response ? { result: 'all' } : response,
    );
  });

  test('stands in one content with the others of its step, also where one is a stub now', () => {
    const contents = [
      model(call('list'), call('read')),
      user(result('list', { result: 'long' }), result('read', { result: 'short' })),
    ];
    const history = geminiHistory(contents);
    const [calls, results] = shown(...contents) as { content: { output: object }[] }[];
    const [first, second] = results!.content;
    const stubbed = { ...first, output: { type: 'text', value: '[stub]' } };
    const apart = [calls!, { role: 'tool', content: [stubbed] }, { role: 'tool', content: [second] }];
    const back = geminiContents(apart, history);
    expect(back).toEqual([
      contents[0],
      user(result('list', { result: '[stub]' }), result('read', { result: 'short' })),
    ]);
    expect(back[1]!.parts![1]).toBe(contents[1]!.parts![1]);
  });
});

test('thoughts, signatures, files and code are recorded, and come back as the caller has them', () => {
  const contents = [
    user({ text: 'Look.' }, { inlineData: { data: 'QUJD', mimeType: 'image/png' } }),
    model(
      { text: 'It is a chart.', thought: true },
      { text: 'I run it.', thoughtSignature: 'c2ln' },
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      { ...call('list'), thoughtSignature: 'c2lnMg==' },
    ),
  ];
  const [asked, answered] = messagesOf(...contents);
  expect(asked!.content).toEqual([
    { type: 'text', text: 'Look.' },
    { type: 'file', data: 'QUJD', mediaType: 'image/png' },
  ]);
  expect(answered!.content).toMatchObject([
    { type: 'reasoning', text: 'It is a chart.' },
    { type: 'text', text: 'I run it.', providerOptions: { google: { thoughtSignature: 'c2ln' } } },
    { type: 'text', text: '```PYTHON\nprint(1)\n```' },
    { type: 'text', text: 'OUTCOME_OK\n1' },
    { type: 'tool-call', toolName: 'list', providerOptions: { google: { thoughtSignature: 'c2lnMg==' } } },
  ]);
  expect(geminiContents(shown(...contents), geminiHistory(contents))).toEqual(contents);
});

test('thoughts that the context leaves out are not sent, and the signature of a call is', () => {
  const contents = [model({ text: 'Hm.', thought: true }, { ...call('list'), thoughtSignature: 'c2ln' })];
  const [answer] = shown(...contents) as { content: { type: string }[] }[];
  const stripped = { ...answer, content: answer!.content.filter(({ type }) => type !== 'reasoning') };
  const signed = model({ ...call('list'), thoughtSignature: 'c2ln' });
  expect(geminiContents([stripped], geminiHistory(contents))).toEqual([signed]);
  // So is a call whose arguments the context shows shortened.
  const shorter = { ...stripped, content: [{ ...stripped.content[0], input: { shortened: 'l…' } }] };
  const [shortened] = geminiContents([shorter], geminiHistory(contents));
  expect(shortened!.parts).toEqual([{ ...call('list', { shortened: 'l…' }), thoughtSignature: 'c2ln' }]);
});

test('links to files are sent as links', () => {
  const contents = [user({ fileData: { fileUri: 'gs://bucket/a.pdf', mimeType: 'application/pdf' } })];
  expect(geminiContents(shown(...contents), [])).toEqual(contents);
});

test('words beside a result are a message of their own, and an empty content is none', () => {
  const contents = [model(call('list')), user(result('list', { result: 'x' }), { text: 'Go on.' }), user()];
  expect(messagesOf(...contents).map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
});

test('a content whose thoughts were all that it had is not sent without them', () => {
  const contents = [user({ text: 'Go.' }), model({ text: 'Hm.', thought: true })];
  const [asked, thought] = shown(...contents) as [object, { content: object[] }];
  expect(geminiContents([asked, { ...thought, content: [] }], geminiHistory(contents))).toEqual([
    contents[0],
  ]);
  // Nor where another process recorded it.
  expect(geminiContents([asked, thought], [])).toEqual([contents[0]]);
});
