import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chunksOf, wholeOf } from './export-chunks.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spillway-chunks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file is read in pieces, as often as it is asked for', async () => {
  const bytes = Buffer.alloc(3_000_000, 'abc');
  const file = join(folder, 'file');
  await writeFile(file, bytes);
  const chunks = await chunksOf(file);
  for (let time = 0; time < 2; time++) {
    let pieces = 0;
    for await (const { length } of chunks()) {
      pieces++;
      expect(length).toBeLessThanOrEqual(1024 * 1024);
    }
    expect(pieces).toBeGreaterThanOrEqual(3);
    expect((await wholeOf(chunks)).equals(bytes)).toBe(true);
  }
});

test('a pipe can be read twice too', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);
  const [chunks] = await Promise.all([chunksOf(pipe), writeFile(pipe, '[1, 2]')]);
  expect((await wholeOf(chunks)).toString()).toBe('[1, 2]');
  expect((await wholeOf(chunks)).toString()).toBe('[1, 2]');
});

test('a file that is not there is named in the error', async () => {
  const file = join(folder, 'none');
  await expect(chunksOf(file)).rejects.toMatchObject({ code: 'ENOENT', path: file });
});
