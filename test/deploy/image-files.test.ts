// @module-tag long
import { temporaryFolder, type TemporaryFolder } from '@spillway/embedded';
import { newestMigration } from '@spillway/store';
import {
  apiOf,
  rowsOf,
  startStack,
  startStubLlm,
  type Api,
  type Stack,
  type StubLlm,
} from '@spillway/testing';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { folding, settled, turns } from '../folding-thread.js';
import { operatorHeader, operatorPassword } from '../operations/scrape.js';
import { toolRun } from '../tool-calls.js';

const run = promisify(execFile);
const apps = ['api', 'worker'] as const;

let images: TemporaryFolder;
let stub: StubLlm;
let stack: Stack;
let api: Api;
beforeAll(async () => {
  images = await temporaryFolder();
  for (const app of apps) await run(process.execPath, ['deploy/collect.mjs', app, join(images.path, app)]);
  vi.stubEnv('SPILLWAY_IMAGES', images.path);
  stub = await startStubLlm();
  stack = await startStack({ env: { ...stub.env, SPILLWAY_OPERATOR_PASSWORD: operatorPassword } });
  api = apiOf(stack);
});
afterAll(async () => {
  await stack?.stop();
  await stub?.stop();
  await images?.remove();
});

const filesOf = (app: string): string[] =>
  readdirSync(join(images.path, app), { recursive: true, encoding: 'utf8' });

test.each(apps)('the image of the %s holds no tool of the build and no page of the console', (app) => {
  const packages = filesOf(app).filter((file) => /^node_modules\/(@[^/]+\/)?[^/@]+$/.test(file));
  expect(packages).toContain('node_modules/piscina');
  expect(
    packages.filter((file) => /\/(next|nx|typescript|prisma|eslint|rolldown|vitest)$/.test(file)),
  ).toEqual([]);
  const bytes = filesOf(app).reduce((sum, file) => sum + statSync(join(images.path, app, file)).size, 0);
  expect(bytes).toBeLessThan(100_000_000);
});

/** The packages that a bundle leaves outside, as it names them. */
function leftOutside(app: string): string[] {
  const folder = `apps/${app}/dist/bundle`;
  const code = readdirSync(folder).filter((file) => file.endsWith('.js'));
  const named = code.flatMap((file) => importsOf(readFileSync(join(folder, file), 'utf8').split('\n')));
  return [...new Set(named)].filter((name) => /^[@a-z]/.test(name) && !isBuiltin(name));
}

/** What the lines of a module import: at its head, and later where no comment shows how. */
function importsOf(lines: readonly string[]): string[] {
  const head = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('import ')),
  );
  const late = lines.filter((line) => !/^\s*(\*|\/\*|\/\/)|@type/.test(line));
  return [
    ...head.map((line) => /"([^"]+)";$/.exec(line)?.[1] ?? ''),
    ...late.flatMap((line) => [...line.matchAll(/\bimport\("([^"]+)"\)/g)].map(([, name]) => name!)),
  ];
}

/** Those of the modules that do not load in a folder. */
async function missing(folder: string, names: readonly string[]): Promise<string[]> {
  const program = `
    const missing = [];
    for (const name of ${JSON.stringify(names)}) await import(name).catch(() => missing.push(name));
    console.log(JSON.stringify(missing));
    process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
  return JSON.parse(stdout) as string[];
}

test.each(apps)(
  'what the bundle of the %s imports loads from its image as from the repository',
  async (app) => {
    const names = leftOutside(app);
    expect(names).toEqual(expect.arrayContaining(['@ai-sdk/anthropic', '@aws-sdk/client-s3', 'piscina']));
    expect(await missing(join(images.path, app), names)).toEqual(await missing(process.cwd(), names));
  },
);

test('an API and a worker run from what their images hold: threads, a model, pages for browsers', async () => {
  for (const { pid } of [stack.api, stack.workers[0]!])
    expect(readlinkSync(`/proc/${pid}/cwd`)).toContain(images.path);

  const rows = Array.from({ length: 4_000 }, (_, i) => ({ id: i, name: `user ${i}` }));
  const posted = await api.append('large', ...toolRun('call_1', JSON.stringify(rows)));
  const output = `/v1/outputs/${posted.messages[1]!.output!.id}`;
  const found = await api.call<string>('GET', `${output}/content?path=${encodeURIComponent('$[777].name')}`);
  expect(found).toMatchObject({ status: 200, body: '"user 777"\n' });
  expect(await api.call('GET', `${output}/grep?pattern=user%20777`)).toMatchObject({
    status: 200,
    body: { matches: [{ line: 1 }] },
  });

  await api.createThread({ id: 'fold', policy: folding });
  await api.append('fold', ...turns(24));
  await settled(api, 'fold', 1);
  expect((await api.summaries('fold'))[0]).toMatchObject({ method: 'llm' });

  const reference = await fetch(`${stack.url}/docs`);
  const board = await fetch(`${stack.url}/queues`, { headers: operatorHeader(operatorPassword) });
  for (const page of [reference, board]) {
    expect(page.status).toBe(200);
    const html = await page.text();
    const base = new URL(/<base href="([^"]+)"/.exec(html)?.[1] ?? page.url, page.url);
    const scripts = [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, source]) => source!);
    expect(scripts.length).toBeGreaterThan(0);
    for (const source of scripts) {
      const script = await fetch(new URL(source, base), { headers: operatorHeader(operatorPassword) });
      expect(script.status, source).toBe(200);
    }
  }
});

test('the image of the API makes the tables of an empty database', async () => {
  await rowsOf(stack.databaseUrl, 'CREATE DATABASE of_an_image');
  onTestFinished(async () => void (await rowsOf(stack.databaseUrl, 'DROP DATABASE of_an_image')));
  const url = Object.assign(new URL(stack.databaseUrl), { pathname: 'of_an_image' }).href;
  const { stdout } = await run(process.execPath, ['libs/store/dist/migrations/migrate-main.js'], {
    cwd: join(images.path, 'api'),
    env: { ...process.env, DATABASE_URL: url },
  });
  expect(stdout).toContain(`applied ${newestMigration}`);
});
