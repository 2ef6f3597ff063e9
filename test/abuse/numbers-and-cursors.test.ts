import { beforeAll, describe, expect, test } from 'vitest';
import { hostile } from './hostile.js';

const { api, refused } = hostile('numbers');
beforeAll(() => api.append('there', { role: 'user', content: 'one' }, { role: 'user', content: 'two' }));

const noCount = [
  '0', '-1', '1.5', '1e3', 'NaN', 'Infinity', '2147483648', '9223372036854775808', '1e400', '-0', '', '%20', '0x10',
  '1%00', '٣', '１', '+1', '1_000', 'null', '99999999999999999999999999',
]; // prettier-ignore

describe('A29 a number that is no count in range is refused', () => {
  test.each(noCount)('%j', async (value) => {
    for (const path of [
      '/v1/threads?limit=',
      '/v1/threads/there/messages?limit=',
      '/v1/threads/there/search?q=x&limit=',
      '/v1/threads/there/search?q=x&from_seq=',
      '/v1/threads/there/search?q=x&to_seq=',
      '/v1/threads/there/summaries?limit=',
      '/v1/threads/there/compactions?limit=',
      '/v1/threads/there/outputs?limit=',
      '/v1/threads/there/context?max_tokens=',
      '/v1/threads/there/context?at=',
    ])
      expect((await refused('GET', path + value)).status, path).toBe(422);
    expect((await refused('GET', `/v1/threads/there/summaries/${value || '%20'}`)).status).toBe(422);
  });
});

test('A28 a parameter that is there twice, or is a list or an object, is refused', async () => {
  for (const query of [
    'limit=1&limit=2',
    'limit[]=1',
    'limit[$gt]=0',
    'limit[0]=1',
    'limit=1&limit[]=2',
    'q=a&q=b',
    'cursor=a&cursor=b',
  ])
    expect((await refused('GET', `/v1/threads?${query}`)).status, query).toBe(422);
  for (const query of ['after=0&after=1', 'view=original&view=context', 'before[lt]=2'])
    expect((await refused('GET', `/v1/threads/there/messages?${query}`)).status, query).toBe(422);
});

describe('A30 a seq beyond what a thread can have', () => {
  test.each(['-1', '2147483648', '9007199254740993', '1e3', '1.0'])('%s is refused', async (seq) => {
    for (const name of ['after', 'before'])
      expect((await refused('GET', `/v1/threads/there/messages?${name}=${seq}`)).status).toBe(422);
  });
  test('the largest is a place like any other', async () => {
    const page = await api.call<{ data: unknown[] }>('GET', '/v1/threads/there/messages?after=2147483647');
    expect(page).toMatchObject({ status: 200, body: { data: [] } });
    const all = await api.call<{ data: unknown[] }>(
      'GET',
      '/v1/threads/there/messages?after=0&before=2147483647',
    );
    expect(all.body.data).toHaveLength(2);
  });
});

describe('A29 numbers in a body', () => {
  const policy = (context: string) => `{"policy":{"context":{${context}}}}`;
  test.each([
    '"context_window":-1',
    '"context_window":0',
    '"context_window":1.5',
    '"context_window":1e400',
    '"context_window":"8000"',
    '"context_window":9007199254740993',
    '"context_window":2147483648',
    '"trigger_ratio":0',
    '"trigger_ratio":-0',
    '"trigger_ratio":0.91',
    '"trigger_ratio":1e-400',
    '"reserve_ratio":-0.1',
    '"keep_recent_turns":1e10',
    '"max_tokens":[1000]',
    '"chars_per_token":0',
  ])('%s', async (context) => {
    expect((await refused('POST', '/v1/threads', policy(context))).status).toBe(422);
    expect((await refused('PUT', '/v1/policy', `{"context":{${context}}}`)).status).toBe(422);
  });
  test('usage that is no count is ignored, and the message beside it is recorded', async () => {
    for (const usage of ['-1', '1.5', '1e10', '"7"', 'null', '{}', '[1]']) {
      const body = `{"messages":[{"role":"user","content":"x"}],"usage":{"input_tokens":${usage}}}`;
      const answer = await api.call('POST', '/v1/threads/odd-usage/messages', body);
      expect(answer).toMatchObject({ status: 201, body: { usage: { applied: false } } });
    }
  });
});

test('A29 numbers in a message come back exactly, or the message is refused', async () => {
  // The last integers are what a program of JavaScript has of the id of a chat message.
  const numbers = [
    0,
    -1,
    9007199254740991,
    -9007199254740991,
    1234567890123456800,
    -(2 ** 60),
    1.5,
    1e21,
    1e300,
    5e-324,
    0.1 + 0.2,
  ];
  const message = { role: 'user', content: 'x', numbers };
  await api.append('exact', message);
  expect(await api.originals('exact')).toEqual([message]);
  for (const number of ['9007199254740993', '-12345678901234567890', '1e400', '-1e999', '1e-400']) {
    const body = `{"messages":[{"role":"user","content":"x","numbers":[1,${number}]}]}`;
    const problem = await refused('POST', '/v1/threads/exact/messages', body);
    expect(problem).toMatchObject({
      status: 422,
      code: 'number_not_exact',
      errors: [{ path: '/messages/0/numbers/1' }],
    });
  }
});

test('A29 a number that a model chose for a call is kept as text, and a bound in a schema as the nearest double', async () => {
  const id = '1234567890123456789';
  const call = (input: string) =>
    `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"ban","input":${input}}]}`;
  const body = `{"messages":[${call(`{"who":[${id},7],"é":1e400}`)}]}`;
  const answer = await api.call('POST', '/v1/threads/chosen/messages?format=anthropic', body);
  expect(answer.status).toBe(201);
  expect(await api.originals('chosen')).toEqual([JSON.parse(call(`{"who":["${id}",7],"é":"1e400"}`))]);
  const schema = '{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775807}}}';
  const { status, body: made } = await api.call(
    'POST',
    '/v1/threads',
    `{"id":"bounded","tools":[{"name":"pick","input_schema":${schema}}]}`,
  );
  expect(status).toBe(201);
  expect(JSON.stringify(made)).toContain('"maximum":9223372036854776000');
});

test('A31 a date in a message is text', async () => {
  for (const date of [
    '+275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    'infinity',
    '2016-12-31T23:59:60Z',
    '2026-01-01',
  ]) {
    await api.append('dates', { role: 'user', content: date, date });
    expect((await api.originals('dates')).at(-1)).toEqual({ role: 'user', content: date, date });
  }
});
