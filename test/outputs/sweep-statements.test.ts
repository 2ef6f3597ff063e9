import { randomBytes, randomUUID } from 'node:crypto';
import { queryAs, rowsOf } from '@spillway/testing';
import {
  buryOutputs,
  deletableOutputs,
  expireOutputs,
  expireOverBudget,
  foldOutputBytes,
  stageOutput,
  type Query,
  type Store,
} from '@spillway/store';
import { beforeEach, expect, test } from 'vitest';
import { storeAlone } from '../store-alone.js';

const hour = 3_600_000;

let url: string;
let store: Store;
let query: Query;
let projectId: string;
storeAlone(2, (on) => void ({ url, store } = on));
beforeEach(async () => {
  projectId = randomUUID();
  query = queryAs(store, projectId);
  await rowsOf(url, 'INSERT INTO projects (id, name) VALUES ($1, $2)', [projectId, projectId]);
});

/** An output that can be read, of 100 bytes, `expiresInMs` from now. */
async function output(expiresInMs: number, { pinned = false, ageMs = 0 } = {}): Promise<string> {
  const id = `out_${randomBytes(16).toString('hex')}`;
  await stageOutput(query, {
    projectId,
    id,
    blobKey: id,
    upload: null,
    linesPerMark: 256,
    bytes: 100,
    lines: 1,
    tokens: 1,
    contentType: 'text/plain',
    kind: 'text',
    sha256: '',
    lineIndex: [0],
    original: null,
    place: 0,
    chunkHashes: randomBytes(32),
    tool: null,
    toolCallId: null,
    ttlMs: expiresInMs,
  });
  await rowsOf(
    url,
    `UPDATE outputs SET state = 'ready', pinned = $2, created_at = now() - $3::int * interval '1 ms' WHERE id = $1`,
    [id, pinned, ageMs],
  );
  return id;
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id).sort();

test('outputs expire at their time and not before', async () => {
  const [expired] = [await output(-hour), await output(hour)];
  expect(idsOf(await expireOutputs(query, projectId, hour))).toEqual([expired]);
  expect(await expireOutputs(query, projectId, hour)).toEqual([]);
});

test('pinned outputs stay, expired or over the budget', async () => {
  await output(-hour, { pinned: true, ageMs: 3 * hour });
  const [older, newer] = [await output(hour, { ageMs: 2 * hour }), await output(hour, { ageMs: hour })];
  expect(await expireOutputs(query, projectId, hour)).toEqual([]);
  expect(idsOf(await expireOverBudget(query, projectId, 250, hour))).toEqual([older]);
  expect(idsOf(await expireOverBudget(query, projectId, 0, hour))).toEqual([newer]);
});

test('bytes may go once their grace is over, and not before', async () => {
  const id = await output(-hour);
  await expireOutputs(query, projectId, hour);
  expect(await deletableOutputs(query, projectId)).toEqual([]);
  await rowsOf(url, `UPDATE outputs SET delete_after = now() - interval '1 ms' WHERE id = $1`, [id]);
  expect(idsOf(await deletableOutputs(query, projectId))).toEqual([id]);
});

test('only an output whose bytes were given up becomes a tombstone', async () => {
  const [gone, kept] = [await output(-hour), await output(hour)];
  await expireOutputs(query, projectId, 0);
  await buryOutputs(query, projectId, [gone, kept]);
  const states = await rowsOf<{ id: string; state: string }>(
    url,
    'SELECT id, state FROM outputs WHERE project_id = $1',
    [projectId],
  );
  expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
    new Map([
      [gone, 'deleted'],
      [kept, 'ready'],
    ]),
  );
});

test('a tombstone keeps no hashes of the bytes', async () => {
  const id = await output(-hour);
  await expireOutputs(query, projectId, 0);
  await buryOutputs(query, projectId, [id]);
  const rows = await rowsOf(url, 'SELECT chunk_hashes FROM outputs WHERE id = $1', [id]);
  expect(rows).toEqual([{ chunk_hashes: null }]);
});

test('the kept sum is that of the readable bytes, folded or not', async () => {
  const [, , corrupt] = [await output(-hour), await output(hour), await output(hour)];
  await rowsOf(url, `UPDATE outputs SET state = 'corrupt' WHERE id = $1`, [corrupt]);
  await output(hour);
  const sum = async () =>
    (
      await rowsOf<{ n: number; bytes: number }>(
        url,
        'SELECT count(*)::int AS n, sum(bytes)::int AS bytes FROM output_bytes WHERE project_id = $1',
        [projectId],
      )
    )[0]!;
  expect((await sum()).bytes).toBe(300);
  await expireOutputs(query, projectId, hour);
  await foldOutputBytes(query, projectId);
  expect(await sum()).toEqual({ n: 1, bytes: 200 });
});

test('the budget is compared with the kept sum, and no sweep adds all outputs up', async () => {
  await output(hour);
  await rowsOf(url, 'DELETE FROM output_bytes WHERE project_id = $1', [projectId]);
  expect(await expireOverBudget(query, projectId, 0, hour)).toEqual([]);
});

test('two sweeps at once expire no more than one', async () => {
  for (let i = 0; i < 12; i++) await output(hour, { ageMs: i * 1_000 });
  const both = [expireOverBudget(query, projectId, 500, hour), expireOverBudget(query, projectId, 500, hour)];
  expect((await Promise.all(both)).flat()).toHaveLength(7);
  expect(await expireOverBudget(query, projectId, 500, hour)).toEqual([]);
});

test('the outputs of another project stay', async () => {
  await output(-hour);
  const other = randomUUID();
  expect(await expireOutputs(query, other, 0)).toEqual([]);
  expect(await expireOverBudget(query, other, 0, 0)).toEqual([]);
});
