import { apiOf, rowsOf, until, type Stack, type StubLlm } from '@spillway/testing';
import { expect, test } from 'vitest';
import { stackWithModel } from '../stack-with-model.js';
import { operatorPassword, scrape, small, talk } from './scrape.js';

type Line = Record<string, unknown> & { msg: string; level: number };

let llm: StubLlm;
let stack: Stack;
const env = { LOG_LEVEL: 'info', SPILLWAY_OPERATOR_PASSWORD: operatorPassword };
stackWithModel({ env }, (on) => ({ stub: llm, stack } = on));

/** All lines that a process wrote: each of them is JSON. */
const linesOf = (app: { output(): string }): Line[] =>
  app
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

test('each request is one line of JSON with its id, route, status and the ids of project and key, and no content', async () => {
  const api = apiOf(stack);
  const body = { messages: [{ role: 'user', content: 'planted words' }] };
  const headers = { 'x-request-id': 'mine-1' };
  await api.call('POST', '/v1/threads/planted-thread/messages?planted=1', body, headers);
  await api.call('POST', '/v1/threads/planted-thread/messages', body, headers);
  await fetch(`${stack.url}/planted/path`, { headers: { 'x-request-id': 'mine-2' } });
  await scrape(stack.url);
  const lines = await until('the last one is logged', () => {
    const found = linesOf(stack.api).filter(({ msg }) => msg === 'request');
    return Promise.resolve(found.some(({ request }) => request === 'mine-2') ? found : undefined);
  });
  expect(lines.filter(({ request }) => request === 'mine-1')).toMatchObject([
    { method: 'POST', route: '/v1/threads/{id}/messages', status: 422 },
    {
      level: 30,
      method: 'POST',
      route: '/v1/threads/{id}/messages',
      status: 201,
      ms: expect.any(Number) as number,
      project: expect.any(String) as string,
      key: expect.any(String) as string,
    },
  ]);
  expect(lines.find(({ request }) => request === 'mine-2')).toMatchObject({
    route: 'unmatched',
    status: 404,
  });
  expect(lines.map(({ route }) => route)).not.toContain('/metrics');
  expect(stack.api.output()).not.toContain('planted');
  expect(stack.api.output()).not.toContain(stack.key);
});

test('each attempt of a compaction is one line of JSON with its thread, outcome and numbers', async () => {
  const api = apiOf(stack);
  await api.createThread({ id: 'planted-fold', policy: small });
  await api.append('planted-fold', ...talk);
  const lines = await until('the attempt is logged', () => {
    const found = linesOf(stack.workers[0]!).filter(({ msg }) => msg === 'attempt ended');
    return Promise.resolve(found.some(({ outcome }) => outcome === 'done') ? found : undefined);
  });
  const [{ uid } = { uid: '' }] = await rowsOf<{ uid: string }>(
    stack.databaseUrl,
    "SELECT uid FROM threads WHERE id = 'planted-fold'",
  );
  expect(lines.find(({ outcome }) => outcome === 'done')).toMatchObject({
    level: 30,
    project: expect.any(String) as string,
    thread: uid,
    attempt: expect.any(Number) as number,
    ms: expect.any(Number) as number,
    generation: 1,
    method: 'llm',
  });
  expect(stack.workers[0]!.output()).not.toMatch(/step 1 |planted/);
});

test('what a provider says about a failed call is with the attempt and in no log: it may repeat what was sent', async () => {
  const { answer } = llm;
  llm.answer = () => ({ status: 400, error: 'Unusable: planted words of a message' });
  try {
    const api = apiOf(stack);
    await api.createThread({ id: 'said', policy: small });
    await api.append('said', ...talk);
    const line = await until('the failure is logged', () =>
      Promise.resolve(linesOf(stack.workers[0]!).find(({ msg }) => msg === 'the model made no summary')),
    );
    const [row] = await rowsOf(
      stack.databaseUrl,
      "SELECT uid AS thread, project_id AS project FROM threads WHERE id = 'said'",
    );
    expect(line).toMatchObject({ level: 40, failure: 'rejected', attempt: 1, ...row });
    expect(stack.workers[0]!.output()).not.toContain('planted words');
    const attempts = await api.call<{ data: { error: string }[] }>('GET', '/v1/threads/said/compactions');
    expect(attempts.body.data.map(({ error }) => error).join()).toContain('planted words');
  } finally {
    llm.answer = answer;
  }
});
