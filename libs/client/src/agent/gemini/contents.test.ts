import { describe, expect, test } from 'vitest';
import type { GeminiContent, GeminiPart } from './content.js';
import { functionOfUnknownCall, geminiContents, geminiHistory } from './contents.js';

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

  test('that a context numbers, because calls repeat, are not sent', () => {
    const [calls] = shown(...step.slice(1, 2)) as { content: { toolCallId: string }[] }[];
    const content = calls!.content.map((part) => ({ ...part, toolCallId: `${part.toolCallId}_17_2` }));
    expect(geminiContents([{ ...calls, content }], [])).toEqual([step[1]]);
  });

  test('that a caller made for the results alone are those of the calls, which have none', () => {
    const answered = user({ functionResponse: { id: 'list-1', name: 'list', response: { result: 'x' } } });
    const [called, given] = idsIn(model(call('list')), answered);
    expect(given).toBe(called);
    expect(geminiContents(shown(model(call('list')), answered).slice(1), [])).toEqual([
      user(result('list', { result: 'x' })),
    ]);
  });

  test('are the same in a part of the conversation, where only calls of one content are told apart', () => {
    const idsOf = (contents: GeminiContent[]) =>
      geminiHistory(contents, { isWhole: false }).flatMap(([message]) =>
        (message as { content: { toolCallId?: string }[] }).content.flatMap(
          ({ toolCallId }) => toolCallId ?? [],
        ),
      );
    const other = [model(call('read')), user(result('read', { result: 'text' }))];
    expect(idsOf([...other, ...step]).slice(2)).toEqual(idsOf(step));
    const same = [model(call('list'), call('list')), user(result('list', {}), result('list', {}))];
    const [one, two, ...answers] = idsOf(same);
    expect(one).not.toBe(two);
    expect(answers).toEqual([one, two]);
  });

  test('are missing of a result whose call the contents do not have', () => {
    const results = (...contents: GeminiContent[]) => functionOfUnknownCall(messagesOf(...contents));
    expect(results(...step)).toBeUndefined();
    expect(results(user({ functionResponse: { id: 'own-1', name: 'list', response: {} } }))).toBeUndefined();
    expect(results(user({ text: 'Go.' }, result('read', {})))).toBe('read');
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
    expect(messagesOf(...contents)[1]!.content).toMatchObject([
      { type: 'tool-result', toolCallId: idsIn(...contents)[0], toolName: 'run', output },
    ]);
    expect(geminiContents(shown(...contents).slice(1), [])).toEqual(contents.slice(1));
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

test('links to files are sent as links, with a type or without', () => {
  const contents = [
    user({ fileData: { fileUri: 'gs://bucket/a.pdf', mimeType: 'application/pdf' } }),
    user({ fileData: { fileUri: 'https://youtu.be/a' } }),
  ];
  expect(geminiContents(shown(...contents), [])).toEqual(contents);
});

test('contents that another process recorded come back as they were, whatever their parts have', () => {
  const contents = [
    user(
      { inlineData: { data: 'QUJD', mimeType: 'video/mp4' }, videoMetadata: { fps: 1 } } as GeminiPart,
      { inlineData: { data: 'QUJD', mimeType: 'image/png', displayName: 'a.png' } } as GeminiPart,
    ),
    model(
      { text: 'It is a chart.', thought: true, thoughtSignature: 'c2ln' },
      { text: 'I run it.', thoughtSignature: 'c2ln' },
      { text: '', thoughtSignature: 'c2ln' },
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      { toolCall: { toolType: 'GOOGLE_SEARCH' }, thoughtSignature: 'c2ln' } as GeminiPart,
      { functionCall: { id: 'a', name: 'list', args: { n: 1 }, willContinue: false } } as GeminiPart,
    ),
    user({
      functionResponse: {
        id: 'a',
        name: 'list',
        response: { shown: { $ref: 'a.png' } },
        parts: [{ inlineData: { data: 'QUJD', mimeType: 'image/png', displayName: 'a.png' } }],
        scheduling: 'SILENT',
      },
    } as GeminiPart),
  ];
  expect(geminiContents(shown(...contents), [])).toEqual(contents);
});

test('a text that the context shortened is sent in place of what it stood for', () => {
  const [ran] = shown(model({ executableCode: { language: 'PYTHON', code: 'print(1)' } })) as {
    content: object[];
  }[];
  const content = [{ ...ran!.content[0], text: '```PYTHON…' }];
  expect(geminiContents([{ ...ran, content }], [])).toEqual([model({ text: '```PYTHON…' })]);
});

test('images that a function returned are counted as images, and a stub is sent without them', () => {
  const parts = [{ inlineData: { data: 'QUJD', mimeType: 'image/png' } }];
  const response = { functionResponse: { id: 'a', name: 'shot', response: { output: 'Here.' }, parts } };
  const [result] = shown(user(response)) as { content: { output: object }[] }[];
  expect(result!.content[0]!.output).toEqual({
    type: 'content',
    value: [
      { type: 'text', text: 'Here.' },
      { type: 'image-data', data: 'QUJD', mediaType: 'image/png' },
    ],
  });
  expect(geminiContents([result!], [])).toEqual([user(response)]);
  const stubbed = { ...result!.content[0], output: { type: 'text', value: '[stub]' } };
  expect(geminiContents([{ ...result, content: [stubbed] }], [])).toEqual([
    user({ functionResponse: { id: 'a', name: 'shot', response: { output: '[stub]' } } }),
  ]);
});

test('messages of other formats are sent as far as contents have a place for them', () => {
  const image = { type: 'image', image: 'data:image/png;base64,QUJD' };
  const ran = { toolCallId: 'a', toolName: 'search', providerExecuted: true };
  const context = [
    { role: 'user', content: [{ type: 'text', text: 'Look.' }, image] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'c2ln' } } },
        { ...ran, type: 'tool-call', input: {} },
        { ...ran, type: 'tool-result', output: { type: 'text', value: 'x' } },
        { type: 'text', text: 'Found.' },
      ],
    },
  ];
  expect(geminiContents(context, [])).toEqual([
    user({ text: 'Look.' }, { inlineData: { data: 'QUJD', mimeType: 'image/png' } }),
    model({ text: 'Found.' }),
  ]);
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
  // Where another process recorded them, they are sent like the rest.
  expect(geminiContents([asked, thought], [])).toEqual(contents);
});
