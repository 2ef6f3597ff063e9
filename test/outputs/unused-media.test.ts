import { randomUUID } from 'node:crypto';
import { asProject, lockUnsettledMedia, settleMedia, type Store } from '@spillway/store';
import { rowsOf } from '@spillway/testing';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { storeAlone } from '../store-alone.js';
import { untilLocked } from '../until-locked.js';

let url: string;
let store: Store;
let projectId: string;
storeAlone(2, (on) => void ({ url, store } = on));
beforeEach(() => {
  projectId = randomUUID();
});

const sql = (text: string, values: unknown[] = []) => rowsOf(url, text, values);

/** A medium that was posted two hours ago. */
const medium = (sha256: string) =>
  sql(
    `INSERT INTO media (project_id, sha256, extension, bytes, touched_at)
     VALUES ($1, $2, 'png', 1, now() - interval '2 hours')`,
    [projectId, sha256],
  );
const use = (sha256: string, thread: string) =>
  sql('INSERT INTO media_uses (project_id, thread_uid, sha256) VALUES ($1, $2, $3)', [
    projectId,
    thread,
    sha256,
  ]);
const endUses = 'DELETE FROM media_uses WHERE project_id = $1 AND thread_uid = $2';

/** What a sweep looks at, and what of it is unused. `meanwhile` runs between the two statements. */
const look = (meanwhile: () => unknown = () => undefined) =>
  asProject(projectId, 'test', () =>
    store.transaction(async (query) => {
      const looked = await lockUnsettledMedia(query, projectId, 100);
      await meanwhile();
      const unused = await settleMedia(query, projectId, looked);
      return { looked: looked.sort(), unused: unused.map(({ sha256 }) => sha256).sort() };
    }),
  );

test('a sweep looks once at media that are in use, and again when a use of them has ended', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  for (const name of ['unused', 'used', 'shared']) await medium(name);
  for (const name of ['used', 'shared']) await use(name, one);
  await use('shared', other);
  expect(await look()).toEqual({ looked: ['shared', 'unused', 'used'], unused: ['unused'] });
  // The bytes of `unused` are still to be removed.
  expect(await look()).toEqual({ looked: ['unused'], unused: ['unused'] });
  await sql(endUses, [projectId, one]);
  expect(await look()).toEqual({ looked: ['shared', 'unused', 'used'], unused: ['unused', 'used'] });
  await sql(endUses, [projectId, other]);
  expect(await look()).toMatchObject({ unused: ['shared', 'unused', 'used'] });
});

test('media that were touched within an hour are not looked at', async () => {
  await medium('touched');
  await sql('UPDATE media SET touched_at = now() WHERE project_id = $1', [projectId]);
  expect(await look()).toEqual({ looked: [], unused: [] });
});

test('a use that ends while a sweep looks is found by the next one', async () => {
  const thread = randomUUID();
  await medium('image');
  await use('image', thread);
  let ended: Promise<unknown> = Promise.resolve();
  const first = await look(async () => {
    ended = sql(endUses, [projectId, thread]);
    await untilLocked(url, 1);
  });
  await ended;
  expect(first).toEqual({ looked: ['image'], unused: [] });
  expect(await look()).toEqual({ looked: ['image'], unused: ['image'] });
});

test('a use that is ending is left to the next sweep', async () => {
  const thread = randomUUID();
  await medium('image');
  await use('image', thread);
  const erasing = new pg.Client(url);
  await erasing.connect();
  try {
    await erasing.query('BEGIN');
    await erasing.query(endUses, [projectId, thread]);
    expect(await look()).toEqual({ looked: [], unused: [] });
    await erasing.query('COMMIT');
  } finally {
    await erasing.end();
  }
  expect(await look()).toEqual({ looked: ['image'], unused: ['image'] });
});

test('media whose bytes could not be removed are left alone until they are due', async () => {
  await medium('stuck');
  await sql(`UPDATE media SET remove_after = now() + interval '1 minute' WHERE project_id = $1`, [projectId]);
  expect(await look()).toEqual({ looked: [], unused: [] });
  await sql(`UPDATE media SET remove_after = now() - interval '1 s' WHERE project_id = $1`, [projectId]);
  expect(await look()).toEqual({ looked: ['stuck'], unused: ['stuck'] });
});

test('media of another project stay as they are', async () => {
  await medium('theirs');
  projectId = randomUUID();
  expect(await look()).toEqual({ looked: [], unused: [] });
});
