import { apiOf, startStack, type Api, type Stack } from '@spillway/testing';
import { expect } from 'vitest';
import { model, replies, user } from './proxy-rig.js';
import { startRecordedProvider, type RecordedProvider } from './recorded-provider.js';

export const oldSecret = 'old-secret-of-the-server-0123456789';
export const newSecret = 'new-secret-of-the-server-9876543210';

interface Sent {
  headers?: Record<string, string>;
  url?: string;
}

/** A server with a provider of its own, and two projects that each have one too. */
export interface UpstreamRig {
  stack: Stack;
  ofServer: RecordedProvider;
  first: RecordedProvider;
  second: RecordedProvider;
  /** Of the two projects. */
  keys: { first: string; second: string };
  apis: { first: Api; second: Api };
  /** Sets an upstream; anything but 200 fails the test. */
  put(key: string, provider: string, body: object): Promise<Record<string, unknown>>;
  /** A request of an SDK, for the thread `asked`. */
  post(key: string, path: string, body: object, sent?: Sent): Promise<Response>;
  /** A chat completion. */
  complete(key: string, sent?: Sent & { named?: string }): Promise<Response>;
  /** How often the provider of the server, the first and the second project were called. */
  counts(): number[];
  /** Gives both projects their upstreams, with keys, and forgets the calls. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export async function startUpstreamRig(): Promise<UpstreamRig> {
  const [ofServer, first, second] = await Promise.all([
    startRecordedProvider(replies('of the server')),
    startRecordedProvider(replies('of the first')),
    startRecordedProvider(replies('of the second')),
  ]);
  const providers = [ofServer, first, second];
  const stack = await startStack({
    workers: 0,
    redis: false,
    env: {
      LOG_LEVEL: 'trace',
      SPILLWAY_LLM_PROVIDER: 'openai',
      SPILLWAY_LLM_BASE_URL: `${ofServer.url}/v1`,
      SPILLWAY_LLM_API_KEY: 'sk-of-the-server',
      SPILLWAY_LLM_MODEL: model,
      SPILLWAY_UPSTREAM_HOSTS: '127.0.0.1',
      SPILLWAY_SECRET_KEY: oldSecret,
    },
  });
  const keys = { first: await stack.addProject('first'), second: await stack.addProject('second') };
  const apiWith = (key: string) => apiOf({ url: stack.url, key });
  const rig: UpstreamRig = {
    ...{ stack, ofServer, first, second, keys },
    apis: { first: apiWith(keys.first), second: apiWith(keys.second) },
    put: async (key, provider, body) => {
      const answer = await apiWith(key).call<Record<string, unknown>>(
        'PUT',
        `/v1/upstreams/${provider}`,
        body,
      );
      expect(answer).toMatchObject({ status: 200 });
      return answer.body;
    },
    post: (key, path, body, { headers = {}, url = stack.url } = {}) =>
      fetch(`${url}/v1/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'spillway-thread': 'asked',
          ...headers,
        },
        body: JSON.stringify(body),
      }),
    complete: (key, { named = model, ...sent } = {}) =>
      rig.post(key, 'chat/completions', { model: named, messages: [user('a')] }, sent),
    counts: () => providers.map(({ received }) => received.length),
    reset: async () => {
      for (const api of [rig.apis.first, rig.apis.second])
        await api.call('DELETE', '/v1/upstreams/anthropic');
      await rig.put(keys.first, 'openai', { base_url: `${first.url}/v1`, key: 'sk-first-secret' });
      await rig.put(keys.second, 'openai', { base_url: `${second.url}/v1/`, key: 'sk-second-secret' });
      for (const provider of providers) provider.received = [];
    },
    stop: async () => {
      await stack.stop();
      for (const provider of providers) await provider.stop();
    },
  };
  return rig;
}
