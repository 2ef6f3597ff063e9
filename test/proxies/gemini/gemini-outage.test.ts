import { startStack, until, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gemini, says, user } from './gemini-rig.js';
import { startRecordedProvider, type RecordedProvider } from '../recorded-provider.js';

let provider: RecordedProvider;
let stack: Stack;
beforeAll(async () => {
  provider = await startRecordedProvider(says('ok'));
  stack = await startStack({
    workers: 0,
    redis: false,
    ownPostgres: true,
    env: {
      SPILLWAY_LLM_PROVIDER: 'google',
      SPILLWAY_LLM_BASE_URL: `${provider.url}/v1beta`,
      SPILLWAY_LLM_API_KEY: 'key-of-the-server',
      SPILLWAY_LLM_MODEL: gemini,
    },
  });
});
afterAll(async () => {
  await stack?.stop();
  await provider?.stop();
});

const ask = () =>
  fetch(`${stack.url}/v1beta/models/${gemini}:generateContent`, {
    method: 'POST',
    headers: {
      'x-goog-api-key': stack.key,
      'content-type': 'application/json',
      'spillway-thread': 'outage',
    },
    body: JSON.stringify({ contents: [user('hello')] }),
  });

test('while Postgres is away Google is not called, and the refusal says to come back', async () => {
  expect((await ask()).status).toBe(200);
  await stack.postgres!.down('immediate');
  const refused = await ask();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({
    error: { code: 503, status: 'UNAVAILABLE', details: [{ reason: expect.any(String) as string }] },
  });
  expect(provider.received).toHaveLength(1);
  await stack.postgres!.start();
  await until('it answers again', async () => (await ask()).status === 200);
});
