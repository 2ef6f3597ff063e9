import { randomUUID } from 'node:crypto';
import type { Schemas } from '@spillway/client';
import { apiOf, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack } from '../borrowed-stack.js';

let api: Api;
beforeAll(async () => {
  api = apiOf(await borrowedStack('whole'));
});

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const system = { role: 'system', content: 'Speak plainly.' };
const rewindToStart = async (id: string) =>
  expect((await api.call('POST', `/v1/threads/${id}/rewind`, { to_seq: 0 })).status).toBeLessThan(300);
const past = async (id: string, at: number): Promise<[string | null, number]> => {
  const path = `/v1/threads/${id}/context?at=${at}&format=anthropic`;
  const { body } = await api.call<Schemas['Context']>('GET', path);
  return [body.system, body.messages.length];
};

test('a context of before a rewind began with the messages of then, whatever system message came after', async () => {
  const id = randomUUID();
  await api.append(id, user('one'), assistant('two'), user('three'), assistant('four'), user('five'));
  await rewindToStart(id);
  await api.append(id, system, user('six'));
  expect(await past(id, 5)).toEqual([null, 5]);
});

test('a context of before a rewind has the system message of then', async () => {
  const id = randomUUID();
  await api.append(id, system, user('one'), assistant('two'));
  await rewindToStart(id);
  await api.append(id, user('three'));
  expect(await past(id, 3)).toEqual([system.content, 2]);
  expect(await past(id, 1)).toEqual([system.content, 0]);
});
