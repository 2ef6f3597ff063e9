import { apiOf, until, type Api } from '@spillway/testing';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { folding, turns } from '../folding-thread.js';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../', import.meta.url));
let stack: BorrowedStack;
let api: Api;
let folder: string;
beforeAll(async () => {
  // Inside the checkout, so that programs find the packages as in a project that installed them.
  await mkdir(join(repository, '.test-results'), { recursive: true });
  folder = await mkdtemp(join(repository, '.test-results/recipes-'));
  // As `npm install` leaves one in an empty folder: it names no kind of module.
  await writeFile(join(folder, 'package.json'), '{}');
  stack = await borrowedStack('readers');
  api = apiOf(stack);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

// Trigger 2,400 of 4,000 tokens: a few messages make a thread due.

/** What a recipe needs before it, and what it prints. */
const recipes: Record<string, { before?: () => Promise<unknown>; prints: RegExp[] }> = {
  'keep-rules': {
    prints: [/^active \w+ Answer in German\.$/m, /^active \w+ .*[Nn]ever push to main\.$/m],
  },
  'read-a-stub': { prints: [/12346.*step 12345 FAILED: disk full/, /step 12344 ok[\s\S]*step 12346 ok/] },
  'search-a-thread': { prints: [/^2 assistant .*5432.* in the context$/m] },
  'switch-provider': { prints: [/"type":"tool_result"/, /^0 parts could not be expressed$/m] },
  'own-summary': {
    before: async () => {
      // It is not folded by itself, which would leave nothing to gain.
      await api.createThread({ id: 'summary', policy: { context: { context_window: 100_000 } } });
      await api.append('summary', ...turns(30));
    },
    prints: [/^generation 1 covers messages up to 20$/m],
  },
  'approve-folds': {
    before: async () => {
      const asking = { ...folding, summary: { ...folding.summary, apply: 'on_approval' } };
      await api.createThread({ id: 'approve', policy: asking });
      await api.append('approve', ...turns(14));
      await until(
        'it is proposed',
        async () => (await api.thread('approve')).compaction.prepared !== undefined,
      );
    },
    prints: [/Turn/, /^approved generation 1$/m],
  },
  'undo-a-fold': {
    before: async () => {
      await api.createThread({ id: 'undo', policy: folding });
      await api.append('undo', ...turns(16));
      await until('it is folded', async () => (await api.thread('undo')).compaction.generation === 1);
      await api.call('PATCH', '/v1/threads/undo', { policy: { context: { context_window: 100_000 } } });
    },
    prints: [/^undone 1 now \d+ idle$/m],
  },
  'take-back': { prints: [/^1 .*snow/m] },
  'erase-a-thread': { prints: [/^erased: thread_not_found$/m] },
};

const pages = globSync('docs/recipes/*.md', { cwd: repository }).toSorted();

/** The programs of a page: its blocks of TypeScript, as they stand. */
const programsOf = async (page: string): Promise<string[]> =>
  [...(await readFile(join(repository, page), 'utf8')).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    ([, text]) => text!,
  );

test('each recipe with a program is run here', async () => {
  const withPrograms: string[] = [];
  for (const page of pages) if ((await programsOf(page)).length > 0) withPrograms.push(basename(page, '.md'));
  expect(withPrograms).toEqual(Object.keys(recipes).toSorted());
});

test.each(Object.keys(recipes))('the recipe %s does what its page says', async (name) => {
  const { before, prints } = recipes[name]!;
  await before?.();
  const programs = await programsOf(`docs/recipes/${name}.md`);
  expect(programs).toHaveLength(1);
  const file = join(folder, `${name}.mts`);
  await writeFile(file, programs[0]!);
  const env = { ...process.env, SPILLWAY_URL: stack.url, SPILLWAY_KEY: stack.key };
  const { stdout, stderr } = await run(process.execPath, [file], { env, cwd: folder });
  expect(stderr).toBe('');
  for (const line of prints) expect(stdout).toMatch(line);
});

test('without Redis a service is ready, as without-redis.md says', async () => {
  const { status, body } = await api.call('GET', '/readyz');
  expect({ status, body }).toEqual({
    status: 200,
    body: { status: 'ready', postgres: 'ok', redis: 'none', outputs: 'ok' },
  });
});
