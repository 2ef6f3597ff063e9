import type { Schemas } from '@spillway/client';
import { apiOf, type Api } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { runCommand, valuesOf } from './run-program.js';

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
  await api.createThread({ id: 'forked', model: 'gpt-4o' });
  const words = ['one', 'two', 'three', 'four'];
  await api.append('forked', ...words.map((content, i) => ({ role: i % 2 ? 'assistant' : 'user', content })));
});

const texts = async (id: string) => (await api.originals(id)).map(({ content }) => content);

describe('fork', () => {
  test('prints the id of a thread with the messages up to one, and leaves the other as it is', async () => {
    const { code, stdout, stderr } = await runCommand(stack, ['fork', 'forked', '--at', '2']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'A fork of forked with its messages up to 2.\n' });
    const id = stdout.trim();
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await texts(id)).toEqual(['one', 'two']);
    expect(await api.thread(id)).toMatchObject({ model: 'gpt-4o', forked_from: { thread: 'forked', at: 2 } });
    expect(await texts('forked')).toHaveLength(4);
  });

  test('takes all messages without --at, and finds the same fork again by its id', async () => {
    const words = ['fork', 'forked', '--id', 'again', '--json'];
    for (let i = 0; i < 2; i++) {
      const { code, stdout } = await runCommand(stack, words);
      expect(code).toBe(0);
      expect(valuesOf<Schemas['Thread']>(stdout)).toMatchObject([{ id: 'again', last_seq: 4 }]);
    }
    expect(await texts('again')).toEqual(['one', 'two', 'three', 'four']);
  });

  test.each([
    ['a message that is not there', ['fork', 'forked', '--at', '9'], 2],
    ['a thread that is not there', ['fork', 'nowhere'], 4],
    ['the id of another thread', ['fork', 'forked', '--at', '1', '--id', 'forked'], 6],
  ])('%s is an error that says so', async (_what, words, exit) => {
    const { code, stdout, stderr } = await runCommand(stack, words);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toMatch(/^spillway: .*[.]\n$/s);
  });
});
