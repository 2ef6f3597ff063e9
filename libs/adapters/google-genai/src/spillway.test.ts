import { expect, test } from 'vitest';
import { createSpillway, type CallableTool, type Config } from './index.js';

const spillway = createSpillway({
  baseUrl: 'http://127.0.0.1:9',
  key: 'unused',
  maxRetries: 0,
  log: () => {},
});
const thread = spillway.thread('orders');
const readers = ['read_output', 'grep_output', 'outline_output', 'search_history', 'read_message'];

const toolOf = (name: string, output: string): CallableTool => ({
  tool: () => Promise.resolve({ functionDeclarations: [{ name }] }),
  callTool: (calls) =>
    Promise.resolve(calls.map((call) => ({ functionResponse: { ...call, response: { output } } }))),
});

/** The names of the functions of each tool of a config. */
async function declaredIn(own?: Config): Promise<(string | undefined)[][]> {
  const tools = thread.config(own).tools as (Partial<CallableTool> & {
    functionDeclarations?: { name: string }[];
  })[];
  const declared = await Promise.all(tools.map(async (tool) => (await tool.tool?.()) ?? tool));
  return declared.map(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
}

test('functions that the SDK runs are one tool with the reader tools, beside tools of Google', async () => {
  expect(await declaredIn()).toEqual([readers]);
  const tools = [toolOf('list', 'a'), { googleSearch: {} }, toolOf('count', 'b')];
  expect(await declaredIn({ tools })).toEqual([['list', 'count', ...readers], []]);
  // Two lists of functions are refused.
  expect(await declaredIn({ tools: [{ functionDeclarations: [{ name: 'list' }] }] })).toEqual([
    ['list', ...readers],
  ]);
});

test('each function gets its own calls, and the caller’s function of a reader’s name stays', async () => {
  const tools = [toolOf('list', 'a'), toolOf('read_output', 'b')];
  const [tool] = thread.config({ tools }).tools as [CallableTool];
  const calls = [{ name: 'read_output' }, { id: '2', name: 'list' }, { name: 'read_message' }];
  expect(await tool.callTool(calls)).toEqual([
    { functionResponse: { id: '2', name: 'list', response: { output: 'a' } } },
    { functionResponse: { name: 'read_output', response: { output: 'b' } } },
    {
      functionResponse: {
        name: 'read_message',
        response: { output: expect.stringContaining('cannot be reached') as string },
      },
    },
  ]);
  expect(await declaredIn({ tools })).toEqual([
    ['list', 'read_output', ...readers.filter((name) => name !== 'read_output')],
  ]);
  const list = { functionDeclarations: [{ name: 'read_output' }] };
  expect((await declaredIn({ tools: [list] }))[0]!.filter((name) => name === 'read_output')).toHaveLength(1);
  expect(list.functionDeclarations).toHaveLength(1);
});

test('the reader tools leave calls of other functions out', async () => {
  expect(await thread.readers.callTool([{ name: 'list' }])).toEqual([]);
});

test('a request with a cache gets no tools, which the cache has', () => {
  expect(thread.config({ cachedContent: 'cachedContents/1' }).tools).toEqual([]);
});

test('the rest of a config stays, and its fetch sends what goes out', async () => {
  const sent: string[] = [];
  const own = ((url: string) => {
    sent.push(url);
    return Promise.resolve(Response.json({}));
  }) as typeof fetch;
  const config = thread.config({ temperature: 0, httpOptions: { timeout: 5, fetch: own } });
  expect(config).toMatchObject({ temperature: 0, httpOptions: { timeout: 5 } });
  const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] });
  for (const path of ['models/gemini-3-pro:generateContent', 'models/gemini-3-pro:countTokens', 'files'])
    await config.httpOptions.fetch(`http://127.0.0.1:9/v1/${path}`, { method: 'POST', body });
  expect(sent.map((url) => url.split('/').at(-1))).toEqual([
    'gemini-3-pro:generateContent',
    'gemini-3-pro:countTokens',
    'files',
  ]);
  expect(spillway.status).toMatchObject({ state: 'down', bypassed_calls: 1 });
});
