// @module-tag long
import type { Schemas } from '@spillway/client';
import { apiOf, type Api } from '@spillway/testing';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { inShell, type Server } from './run-program.js';
import { testFolder } from './test-folder.js';

let stack: BorrowedStack;
let api: Api;
const folder = testFolder();
beforeAll(async () => {
  stack = await borrowedStack('api');
  api = apiOf(stack);
  await api.append('work', { role: 'user', content: randomBytes(20_000).toString('hex') });
});

/** What a command prints on standard error, and its exit code, while every write to standard output fails. */
const onFullDisk = (words: string, server: Server = stack): Promise<string> =>
  inShell(server, `${words} 2>&1 > /dev/full; echo $?`);

test.each(['export work', 'threads', '--help'])(
  '%s says that the disk of its output is full',
  async (words) => {
    expect(await onFullDisk(words)).toBe(
      'spillway: The disk is full: standard output. Free some space, or write to another disk.\n1\n',
    );
  },
);

test('an error on a full disk keeps its exit code', async () => {
  expect(await inShell(stack, 'context nowhere 2> /dev/full; echo $?')).toBe('4\n');
});

const keysNamed = async (name: string) => {
  const { body } = await api.call<Schemas['KeyList']>('GET', '/v1/keys');
  return body.data.filter((key) => key.name === name);
};

test('a new key that could not be printed is revoked', async () => {
  const printed = await onFullDisk('keys create --name plain --scope admin');
  const [made, ...others] = await keysNamed('plain');
  expect(others).toEqual([]);
  expect(printed).toBe(
    `Created key ${made!.id} (admin). It is not shown again.\n` +
      `spillway: The key ${made!.id} could not be printed, so it is revoked. The disk is full: standard output. ` +
      `Create another one.\n1\n`,
  );
  expect(made!.revoked_at).not.toBeNull();
});

test('a new key that could not be printed as JSON is revoked', async () => {
  const printed = await onFullDisk('keys create --name json --scope admin --json');
  const [made] = await keysNamed('json');
  const { error } = JSON.parse(printed.split('\n')[0]!) as { error: Record<string, unknown> };
  expect(error).toMatchObject({ code: 'ENOSPC', exit_code: 1 });
  expect(error.message).toContain(made!.id);
  expect(made!.revoked_at).not.toBeNull();
});

test('a new key that could neither be printed nor revoked is named', async () => {
  const gateway = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    if (method === 'DELETE') return void outgoing.writeHead(403).end();
    const { hostname: host, port } = new URL(stack.url);
    const forwarded = request({ host, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  try {
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const printed = await onFullDisk('keys create --name kept --scope admin', { url, key: stack.key });
    const [made] = await keysNamed('kept');
    expect(made!.revoked_at).toBeNull();
    expect(printed).toContain(
      `spillway: The key ${made!.id} is live, and could not be printed. The disk is full: standard output. ` +
        `It could not be revoked either: `,
    );
    expect(printed).toMatch(
      new RegExp(`Revoke it with \`spillway keys revoke ${made!.id}\`, then create another one\\.\\n1\\n$`),
    );
  } finally {
    gateway.closeAllConnections();
    gateway.close();
  }
});

test.each(['export work -o', 'backup'])(
  '%s names a file that could not be written, and removes it',
  async (words) => {
    const file = join(folder.path, 'work');
    // A limit on the size of files in KiB: a write beyond it fails as on a full disk, without a path.
    const printed = await inShell(stack, `${words} '${file}' 2>&1; echo $?`, 'ulimit -f 4');
    expect(printed).toBe(
      `spillway: EFBIG: file too large, write: ${file}. Check the disk and its limits.\n1\n`,
    );
    expect(readdirSync(folder.path)).toEqual([]);
  },
);
