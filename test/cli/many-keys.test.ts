import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { runCommand, valuesOf } from './run-program.js';

/** Revoked keys that are newer than all others fill the first page of the API's list. */
const revoked = 1_000;

let stack: BorrowedStack;
let leaked: Schemas['KeyCreated'];
beforeAll(async () => {
  stack = await borrowedStack('api');
  const made = { name: 'leaked', scopes: ['context:read'] };
  leaked = (await apiOf(stack).call<Schemas['KeyCreated']>('POST', '/v1/keys', made)).body;
  await rowsOf(
    stack.databaseUrl,
    `INSERT INTO api_keys (project_id, name, prefix, hash, scopes, created_at, revoked_at)
     SELECT project_id, 'old', 'sw_old', sha256((id::text || n)::bytea), '{admin}', created_at + interval '1 hour', now()
     FROM api_keys, generate_series(1, $2::int) n WHERE id = $1`,
    [leaked.id, revoked],
  );
});

test('a key is found and revoked behind a thousand that are newer', async () => {
  const listed = await runCommand(stack, ['keys', '--all', '--json']);
  expect(valuesOf(listed.stdout)).toHaveLength(revoked + 2);
  expect((await runCommand(stack, ['keys'])).stdout).toContain(leaked.id);
  expect(await runCommand(stack, ['keys', 'revoke', leaked.prefix])).toMatchObject({ code: 0 });
  expect((await runCommand(stack, ['keys'])).stdout).not.toContain(leaked.id);
});

test('the doctor finds the expiry of a key behind a thousand that are newer', async () => {
  const { stdout } = await runCommand(stack, ['doctor']);
  expect(stdout).toContain('key expiry: The key does not expire.');
});
