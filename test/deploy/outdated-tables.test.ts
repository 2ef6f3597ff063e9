import type { Schemas } from '@spillway/client';
import { newestMigration } from '@spillway/store';
import { rowsOf, startStack, until, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ redis: false, workers: 1 });
});
afterAll(() => stack?.stop());

async function lookAt(url: string): Promise<{ status: number; body: Schemas['Readiness'] }> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: (await response.json()) as Schemas['Readiness'] };
}

const old = [
  [
    'whose newest migration is missing',
    `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${newestMigration}'`,
    'UPDATE _prisma_migrations SET rolled_back_at = NULL',
  ],
  [
    'of before its ledger could be read',
    'REVOKE SELECT (migration_name, finished_at, rolled_back_at) ON _prisma_migrations FROM spillway_app',
    'GRANT SELECT (migration_name, finished_at, rolled_back_at) ON _prisma_migrations TO spillway_app',
  ],
] as const;

test.each(old)('processes on a database %s are not ready until it is migrated', async (_what, undo, redo) => {
  const apps = [stack.api, ...stack.workers];
  await rowsOf(stack.databaseUrl, undo);
  try {
    for (const app of apps) {
      await until('it is not ready', async () => (await lookAt(app.url)).status === 503);
      expect((await lookAt(app.url)).body).toMatchObject({ status: 'unavailable', postgres: 'outdated' });
      await until('its log says why', () =>
        Promise.resolve(app.output().includes('older than this version: run the program that migrates')),
      );
    }
  } finally {
    await rowsOf(stack.databaseUrl, redo);
  }
  for (const app of apps) await until('it is ready', async () => (await lookAt(app.url)).status === 200);
});
