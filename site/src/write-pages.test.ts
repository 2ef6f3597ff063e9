import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './repository.js';
import { writePages } from './write-pages.js';

test('pages and pictures that stay as they were are not written again', async () => {
  const times = () =>
    Promise.all(
      [
        'index.md',
        'public/llms.txt',
        'public/pictures/docs/quick-starts/pictures/packages/anthropic.png',
      ].map(async (path) => (await stat(join(repository, 'site/.pages', path))).mtimeMs),
    );
  await writePages();
  const before = await times();
  await writePages();
  expect(await times()).toEqual(before);
});
