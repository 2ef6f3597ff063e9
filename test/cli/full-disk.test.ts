import type { Schemas } from '@spillway/client';
import { apiOf, type Api } from '@spillway/testing';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { inShell } from './run-program.js';
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
const onFullDisk = (words: string): Promise<string> => inShell(stack, `${words} 2>&1 > /dev/full; echo $?`);

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

test('a new key that could not be printed is named', async () => {
  const printed = await onFullDisk('keys create --name plain --scope admin');
  const [made, ...others] = await keysNamed('plain');
  expect(others).toEqual([]);
  expect(printed).toBe(
    `Created key ${made!.id} (admin). It is not shown again.\n` +
      `spillway: The key ${made!.id} is live, and could not be printed. The disk is full: standard output. ` +
      `Revoke it with \`spillway keys revoke ${made!.id}\`, then create another one.\n1\n`,
  );
});

test('a new key that could not be printed is named as JSON', async () => {
  const printed = await onFullDisk('keys create --name json --scope admin --json');
  const [made] = await keysNamed('json');
  const { error } = JSON.parse(printed.split('\n')[0]!) as { error: Record<string, unknown> };
  expect(error).toMatchObject({ code: 'ENOSPC', exit_code: 1 });
  expect(error.message).toContain(made!.id);
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
