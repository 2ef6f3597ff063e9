import { apiOf } from '@spillway/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProxyRig, user, type ProxyRig } from '../proxies/proxy-rig.js';

interface Documented {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
  components: object;
}

let rig: ProxyRig;
let served: Documented;
beforeAll(async () => {
  rig = await startProxyRig();
  served = (await apiOf(rig.stack).call<Documented>('GET', '/openapi.json')).body;
});
afterAll(() => rig?.stop());

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** What the document says about an answer that was given: its schema, and where the body differs from it. */
async function refusalsOf(path: string, answer: Response): Promise<string[]> {
  const { responses } = served.paths[path]!['post']!;
  const type = answer.headers.get('content-type')!.split(';')[0]!;
  const { content = {} } = responses[answer.status] ?? responses['default']!;
  if (!content[type]) return [`${answer.status} ${type} is not documented`];
  const check = ajv.compile({ ...content[type].schema, components: served.components });
  return check(await answer.json()) ? [] : [ajv.errorsText(check.errors)];
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${rig.stack.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${rig.stack.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });

test.each(['/v1/chat/completions', '/v1/responses', '/v1/messages'])(
  'a refusal by %s is in the document, with the error that SDKs of providers read',
  async (path) => {
    const answer = await post(path, { model: 'gpt-4o-mini' }, { 'spillway-thread': 'refused' });
    expect(answer.status).toBe(422);
    expect(await answer.clone().json()).toMatchObject({
      code: 'invalid_request',
      error: { param: expect.any(String) as string },
    });
    expect(await refusalsOf(path, answer)).toEqual([]);
  },
);

test('a refusal of a request of Google is in the document, in the form of Google', async () => {
  const path = '/v1beta/models/{model}:generateContent';
  const answer = await post(path.replace('{model}', 'gemini-9'), {}, { 'spillway-thread': 'refused' });
  expect(answer.status).toBe(422);
  expect(await answer.clone().json()).toMatchObject({ error: { code: 422, status: 'INVALID_ARGUMENT' } });
  expect(await refusalsOf(path, answer)).toEqual([]);
});

test("a provider's own error is in the document", async () => {
  rig.answer = (response) => {
    response
      .writeHead(429, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: 'Rate limit reached', type: 'requests', code: null } }));
  };
  const answer = await rig.post('limited', [user('hello')]);
  expect(answer.status).toBe(429);
  expect(await refusalsOf('/v1/chat/completions', answer)).toEqual([]);
});

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

test.each<[string, number, unknown, Record<string, string>]>([
  ['a batch', 400, [list], {}],
  ['a method without JSON-RPC', 400, { id: 1, method: 'tools/list' }, {}],
  ['an Accept without event streams', 406, list, { accept: 'application/json' }],
])('the refusal of MCP of %s is in the document', async (_, status, body, headers) => {
  const answer = await post('/mcp', body, headers);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await refusalsOf('/mcp', answer)).toEqual([]);
});
