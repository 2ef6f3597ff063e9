// @module-tag long
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  apiOf,
  checkRun,
  openJournal,
  randomOf,
  readJournal,
  rowsOf,
  startLoad,
  startStack,
  startStubLlm,
  until,
  untilQuiet,
  watchMessages,
  type JournalEntry,
  type Stack,
  type StubLlm,
} from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sized } from '../sizes.js';
import { breaks } from './breaks.js';

/** Each break is found in a copy of what so many messages left. */
const acked = sized(400, 800);

let stub: StubLlm;
let stack: Stack;
let folder: string;
let journal: JournalEntry[];

/** A short, healthy run of two agents' projects whose threads are compacted and whose outputs are stored. */
beforeAll(async () => {
  stub = await startStubLlm();
  stack = await startStack({
    apis: 2,
    workers: 2,
    env: {
      SPILLWAY_POLL_MS: '500',
      ...stub.env,
    },
  });
  await watchMessages(stack.databaseUrl);
  const projects = [
    { name: 'default', key: stack.key },
    { name: 'second', key: await stack.addProject('second') },
  ];
  for (const { key } of projects) {
    const policy = {
      context: { context_window: 8_000, trigger_ratio: 0.4, response_reserve: 500 },
      outputs: { threshold_tokens: 1_000 },
    };
    expect((await apiOf({ url: stack.url, key }).call('PUT', '/v1/policy', policy)).status).toBe(200);
  }
  folder = await mkdtemp(join(tmpdir(), 'checker-'));
  const path = join(folder, 'journal.jsonl');
  const written = await openJournal(path);
  const load = startLoad({
    apis: stack.apis.map((api) => api.url),
    projects,
    threadsPerProject: 2,
    messagesPerSecond: 100,
    random: randomOf(7),
    journal: written,
  });
  await until('the threads are long', () => Promise.resolve(load.stats.acked > acked), 120_000);
  await load.stop();
  await written.close();
  await untilQuiet(stack.databaseUrl, 60_000);
  await Promise.all([...stack.apis, ...stack.workers].map((app) => app.stop()));
  journal = await readJournal(path);
});
afterAll(async () => {
  await stack?.stop();
  await stub?.stop();
  if (folder) await rm(folder, { recursive: true });
});

test('a healthy run has no violation, and is large enough to mean something', async () => {
  const violations = await checkRun({
    databaseUrl: stack.databaseUrl,
    outputsFolder: stack.outputsFolder,
    journals: [journal],
    modelCalls: stub.calls.length,
  });
  expect(violations).toEqual([]);
  const count = (kind: string) => journal.filter((entry) => entry.kind === kind).length;
  expect(count('ack')).toBeGreaterThan(100);
  expect(count('context')).toBeGreaterThan(3);
  expect(count('output')).toBeGreaterThan(0);
  const [compacted] = await rowsOf<{ n: number }>(
    stack.databaseUrl,
    'SELECT count(*)::int AS n FROM summaries',
  );
  expect(compacted!.n).toBeGreaterThan(6);
});

test.each(breaks)('flags $invariant: $what', async ({ invariant, sql, inJournal, inFolder, modelCalls }) => {
  const name = `broken_${randomBytes(6).toString('hex')}`;
  const server = process.env.SPILLWAY_TEST_POSTGRES!;
  await rowsOf(server, `CREATE DATABASE ${name} TEMPLATE ${new URL(stack.databaseUrl).pathname.slice(1)}`);
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const outputsFolder = join(folder, name);
  await cp(stack.outputsFolder, outputsFolder, { recursive: true });
  for (const statement of sql ?? []) {
    const changed = await rowsOf<{ changed: number }>(databaseUrl, statement);
    if (statement.includes('AS changed')) expect(changed[0]!.changed, statement).toBeGreaterThan(0);
  }
  const entries = journal.map((entry) => ({ ...entry }));
  if (inJournal) expect(inJournal(entries), 'an entry to break').toBe(true);
  if (inFolder) {
    const files = (await readdir(outputsFolder, { recursive: true })).filter((file) => file.endsWith('.txt'));
    const outputs = await rowsOf<{ blob_key: string }>(
      databaseUrl,
      `SELECT blob_key FROM outputs WHERE state = 'ready' AND bytes > 0 ORDER BY id LIMIT 1`,
    );
    expect(files).toContain(outputs[0]!.blob_key);
    await inFolder(outputsFolder, outputs[0]!.blob_key, (path, text) => writeFile(path, text));
  }
  const violations = await checkRun({
    databaseUrl,
    outputsFolder,
    journals: [entries],
    modelCalls: modelCalls ?? stub.calls.length,
  });
  expect(violations.map((violation) => violation.invariant)).toContain(invariant);
  await rowsOf(server, `DROP DATABASE ${name}`);
});
