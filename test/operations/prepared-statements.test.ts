import { asService, openStore, type Store } from '@spillway/store';
import { countSyncs, freshDatabase, rowsOf, type SyncCounter } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let url: string;
let counter: SyncCounter;
let store: Store;
beforeAll(async () => {
  url = await freshDatabase();
  counter = await countSyncs(url);
  store = openStore({ url: counter.through(url), maxConnections: 1, onError: () => undefined });
});
afterAll(async () => {
  await store.close();
  counter.stop();
});

const ask = (name: string, text: string, values: unknown[] = []) =>
  asService(() => store.query({ name, text }, values));

test('a statement that a connection knows gives the same values of each type, and is not described again', async () => {
  const text = `SELECT n AS "seq", n::bigint AS big, n % 2 = 0 AS even, NULL::text AS none, 'é' || n AS words,
    ARRAY[n, n + 1] AS list, ARRAY['a', NULL] AS names, '\\x0102'::bytea AS bytes, n / 2.0::float8 AS half,
    timestamptz '2026-01-01Z' + n * interval '1 day' AS day, json_build_object('n', n) AS object
    FROM generate_series(1, $1::int) n ORDER BY n`;
  const expected = await rowsOf(url, text, [3]);
  const first = await ask('typed', text, [3]);
  const before = counter.descriptions();
  const again = [await ask('typed', text, [3]), await ask('typed', text, [3])];
  expect(counter.descriptions()).toBe(before);
  for (const rows of [first, ...again]) expect(rows).toEqual(expected);
  expect(await ask('typed', text, [0])).toEqual([]);
});

test('a statement without a result is not described again either', async () => {
  const remove = () =>
    ask('remove-nothing', 'DELETE FROM webhooks WHERE id = $1::uuid', [crypto.randomUUID()]);
  await remove();
  const before = counter.descriptions();
  expect(await remove()).toEqual([]);
  expect(counter.descriptions()).toBe(before);
});

test('when a column gets another type, no value is read as what it was: the statement fails once', async () => {
  await rowsOf(url, 'CREATE TABLE changing (value int)');
  await rowsOf(url, 'GRANT SELECT ON changing TO spillway_app');
  await rowsOf(url, 'INSERT INTO changing VALUES (7)');
  const text = 'SELECT value FROM changing';
  expect(await ask('changing', text)).toEqual([{ value: 7 }]);
  await rowsOf(url, `ALTER TABLE changing ALTER COLUMN value TYPE text USING 'n' || value`);
  await expect(ask('changing', text)).rejects.toMatchObject({ code: '0A000' });
  expect(await ask('changing', text)).toEqual([{ value: 'n7' }]);
});
