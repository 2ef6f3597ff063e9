// @module-tag long
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const dist = join(root, 'libs/client/dist');

/** Every package that is not private. */
const folders = globSync('libs/{*,adapters/*}/package.json', { cwd: root })
  .filter((path) => !(JSON.parse(readFileSync(join(root, path), 'utf8')) as { private?: boolean }).private)
  .map(dirname);

test('the packages for npm are the client, the adapters and the program', () => {
  expect(folders.sort()).toEqual([
    'libs/adapters/adk',
    'libs/adapters/ai-sdk',
    'libs/adapters/anthropic',
    'libs/adapters/claude-agent',
    'libs/adapters/google-genai',
    'libs/adapters/langchain',
    'libs/adapters/mastra',
    'libs/adapters/openai-agents',
    'libs/adapters/opencode',
    'libs/adapters/pi',
    'libs/adapters/strands',
    'libs/cli',
    'libs/client',
  ]);
});

describe.each(folders)('%s', (path) => {
  const folder = join(root, path);
  let target: string;
  let tarball: Uint8Array;
  let files: string[];
  beforeAll(() => {
    target = mkdtempSync(join(tmpdir(), 'spillway-pack-'));
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', target];
    const [packed] = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8' })) as [
      { filename: string; files: { path: string }[] },
    ];
    tarball = readFileSync(join(target, packed.filename));
    files = packed.files.map(({ path }) => path);
  });
  afterAll(() => rmSync(target, { recursive: true }));

  test('is a package that npm users can import: publint finds nothing', async () => {
    const { messages } = await publint({ pkgDir: folder, pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  test('has the types of its code, for bundlers and Node', async () => {
    const result = await checkPackage(createPackageFromTarballData(tarball));
    expect(result.types).toBeTruthy();
    // It is ESM alone: `require` gets it on Node from 20.19 on, and resolution as of Node 10 knows no exports.
    const modern = (result.types ? result.problems : []).filter(
      (problem) => !('resolutionKind' in problem) || /^(node16-esm|bundler)$/.test(problem.resolutionKind),
    );
    expect(modern).toEqual([]);
  });

  test('holds its code, its types, a licence and a README, and nothing of its tests', () => {
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']),
    );
    expect(files.filter((path) => path.includes('.test.') || path.endsWith('.tsbuildinfo'))).toEqual([]);
  });
});

/** Every module that the entry loads. */
function modulesOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*?from '([^']+)'/gm)) {
    expect(name, file).toMatch(/^\.\//);
    modulesOf(join(dirname(file), name!), seen);
  }
  return seen;
}

test('the entry of the client imports nothing but itself, and is small', () => {
  const code = [...modulesOf(join(dist, 'index.js'))].map((file) => readFileSync(file, 'utf8'));
  expect(code.length).toBeGreaterThan(5);
  expect(code.join('\n')).not.toMatch(/\bfrom 'node:|\brequire\(|\bprocess\.|\bBuffer\b/);
  expect(code.reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThan(32_000);
});
