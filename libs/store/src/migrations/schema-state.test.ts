import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newestMigration } from './schema-state.js';

test('a process asks for the last migration of the folder', () => {
  const folder = new URL('../../../../prisma/migrations/', import.meta.url);
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(newestMigration).toBe(
    names
      .map(({ name }) => name)
      .sort()
      .at(-1),
  );
});
