// @module-tag long
import type { Schemas } from '@spillway/client';
import { apiOf, until, type Api } from '@spillway/testing';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { inShell, startCli } from './run-program.js';
import { testFolder } from './test-folder.js';

let stack: BorrowedStack;
let api: Api;
const folder = testFolder();
beforeAll(async () => {
  stack = await borrowedStack('api');
  api = apiOf(stack);
});

const exitOfFirst = '; echo "${PIPESTATUS[0]}"';

describe('when its reader has gone', () => {
  test('import goes on to its end', async () => {
    const conversations = Array.from({ length: 30 }, (_, i) => ({
      id: `c${i}`,
      title: `Talk ${i}`,
      current_node: `n${i}`,
      mapping: {
        [`n${i}`]: {
          id: `n${i}`,
          parent: null,
          message: {
            id: `n${i}`,
            author: { role: 'user' },
            content: { content_type: 'text', parts: ['Hello.'] },
            create_time: 1_763_629_200,
          },
        },
      },
    }));
    const file = folder.fileWith('chats.json', JSON.stringify(conversations));
    expect(await inShell(stack, `import '${file}' | head -1${exitOfFirst}`)).toMatch(/^Recorded .*\n0\n$/);
    const { body } = await api.call<Schemas['ThreadCounts']>('GET', '/v1/thread-counts');
    expect(body.total).toBe(conversations.length);
  });

  test('a command that found something wrong says so by its exit code', async () => {
    const nowhere = { url: 'http://127.0.0.1:2', key: 'sw_none' };
    expect(await inShell(nowhere, `doctor | true${exitOfFirst}`)).toBe('1\n');
  });

  test('tail ends', async () => {
    const say = () => api.append('talk', { role: 'user', content: 'Hello.' });
    const first = await say();
    expect(first.messages).toHaveLength(1);
    const { body } = await api.call<Schemas['EventList']>('GET', '/v1/threads/talk/events?limit=1');
    const ended = inShell(stack, `tail talk --after ${body.data[0]!.id} | head -1${exitOfFirst}`);
    const printed = await until('it has ended', async () => {
      await say();
      return Promise.race([ended, new Promise<false>((resolve) => setTimeout(resolve, 100, false))]);
    });
    expect(printed).toMatch(/message\.recorded .*\n0\n$/);
  });

  test.each(['', ' --json'])('keys create%s revokes the key that nobody has seen', async (option) => {
    const name = `unseen${option}`;
    const words = `keys create --name '${name}' --scope context:read${option}`;
    // The reader has gone before the program starts.
    const printed = await inShell(stack, `${words} 2>&1 >&3; echo "$?"`, 'exec 3> >(exit 0); wait $!');
    const { body } = await api.call<Schemas['KeyList']>('GET', '/v1/keys');
    const [made, ...others] = body.data.filter((key) => key.name === name);
    expect(others).toEqual([]);
    expect(made!.revoked_at).not.toBeNull();
    expect(printed).toContain(`The key ${made!.id} could not be printed, so it is revoked.`);
    expect(printed).toContain('The reader of standard output has gone.');
    expect(printed).toMatch(/\n1\n$/);
  });

  test('keys list and keys revoke end without an error', async () => {
    const { body } = await api.call<Schemas['KeyCreated']>('POST', '/v1/keys', {
      name: 'to revoke',
      scopes: ['context:read'],
    });
    for (const words of ['keys list --json', `keys revoke ${body.id} --json`])
      expect(await inShell(stack, `${words} | true${exitOfFirst}`)).toBe('0\n');
  });

  test('export ends', async () => {
    await api.append(
      'long',
      ...Array.from({ length: 40 }, () => ({ role: 'user', content: 'x'.repeat(20_000) })),
    );
    expect(await inShell(stack, `export long | head -c 7${exitOfFirst}`)).toBe('{"type"0\n');
  });
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'an export that %s ends leaves no file',
  async (signal) => {
    const endless = createServer((_request, response) => void response.write('{"type":"thread"}\n'));
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
      const files = () => readdirSync(folder.path).filter((name) => name.startsWith('work.jsonl'));
      const child = startCli({ url, key: 'sw_any' }, [
        'export',
        'work',
        '-o',
        join(folder.path, 'work.jsonl'),
      ]);
      const exited = once(child, 'exit');
      await until('it writes', () => Promise.resolve(files().length === 1));
      child.kill(signal);
      expect(await exited).toEqual([null, signal]);
      expect(files()).toEqual([]);
    } finally {
      endless.closeAllConnections();
      endless.close();
    }
  },
);
