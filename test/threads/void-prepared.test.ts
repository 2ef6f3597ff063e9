import { freshDatabase, rowsOf } from '@spillway/testing';
import { expect, test } from 'vitest';

interface Trigger {
  name: string;
  /** Columns that a statement has to set for it to fire. */
  columns: string[];
  definition: string;
}

const beforeUpdates = `SELECT t.tgname AS name, pg_get_triggerdef(t.oid) AS definition, ARRAY(
    SELECT a.attname::text FROM unnest(t.tgattr::int2[]) n
    JOIN pg_attribute a ON a.attrelid = t.tgrelid AND a.attnum = n) AS columns
  FROM pg_trigger t
  WHERE t.tgrelid = 'threads'::regclass AND NOT t.tgisinternal AND t.tgtype & 2 > 0 AND t.tgtype & 16 > 0`;

test('void_prepared sees each change of a column that it looks for', async () => {
  const triggers = await rowsOf<Trigger>(await freshDatabase(), beforeUpdates);
  // Another one could change a column that the statement does not set.
  expect(triggers.map(({ name }) => name)).toEqual(['void_prepared']);
  const { columns, definition } = triggers[0]!;
  const compared = [...definition.matchAll(/\bold\.(\w+)/gi)].map(([, column]) => column!);
  expect(compared).toContain('content_version');
  expect(new Set(columns)).toEqual(new Set(compared));
});
