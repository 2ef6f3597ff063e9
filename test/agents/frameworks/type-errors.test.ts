import { temporaryFolder } from '@spillway/embedded';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { typeErrorsOf } from './type-errors.js';

test('the compiler finds what is wrong in a file', async () => {
  const folder = await temporaryFolder();
  try {
    const file = join(folder.path, 'program.ts');
    await writeFile(file, `export const n: number = 'one';`);
    expect(await typeErrorsOf(file)).toContain('TS2322');
  } finally {
    await folder.remove();
  }
});
