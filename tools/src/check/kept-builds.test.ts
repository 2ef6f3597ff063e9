import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import nx from '../../../nx.json' with { type: 'json' };
import { repository } from '../repository.js';

const folder = mkdtempSync(join(tmpdir(), 'kept-builds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('tsc takes a library that Nx restored from its cache for built', () => {
  const library = 'libs/contracts';
  const outputs = nx.targetDefaults.build.outputs
    .filter((output) => output.endsWith('/dist'))
    .map((output) => output.replace('{projectRoot}', library));
  const sources = ['src', 'tsconfig.json', 'package.json'].map((name) => `${library}/${name}`);
  for (const path of ['tsconfig.base.json', ...sources, ...outputs])
    cpSync(join(repository, path), join(folder, path), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));

  const report = execFileSync('npx', ['tsc', '-b', '--dry', library], { cwd: folder, encoding: 'utf8' });

  // Else each of its dependents builds it once more, at the same time, and some read a file that another rewrites.
  expect(report).not.toContain('would build');
});
