import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import workspace from '../../../package.json' with { type: 'json' };
import { repository } from '../repository.js';

const folders = globSync(
  workspace.workspaces.map((folder) => `${folder}/package.json`),
  { cwd: repository },
).map(dirname);

/** Their tests start programs: vitest.config.ts has them in another project. */
const withoutUnitTests = ['libs/embedded'];

test('npm run affected runs the unit tests of every package that has some', () => {
  const untested = folders.filter((folder) => {
    const { scripts } = JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8')) as {
      scripts?: { test?: string };
    };
    const tests = globSync(`${folder}/{src,app,ui}/**/*.test.ts`, { cwd: repository });
    return tests.length > 0 && !scripts?.test?.endsWith(` --project unit ${folder}/`);
  });
  expect(folders).toContain('libs/engine');
  expect(untested.sort()).toEqual(withoutUnitTests);
});
