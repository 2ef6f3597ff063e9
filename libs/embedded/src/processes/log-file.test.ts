import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leash } from './leash.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp('/tmp/log-file-test-');
});
afterEach(() => rm(folder, { recursive: true }));

const code = `
  let n = 0;
  setInterval(() => console.log('line ' + ++n), 1);
  process.on('SIGTERM', () => process.exit());`;

test('a log that grows over its limit is emptied while its process prints, and what it had is kept', async () => {
  const logFile = join(folder, 'app.log');
  const app = leash({
    command: process.execPath,
    args: ['-e', code],
    logFile,
    maxLogBytes: 2_000,
    logCheckMs: 20,
  });
  let emptied = 0;
  let before = 0;
  const look = async () => {
    const { size } = await stat(logFile);
    if (size < before) emptied++;
    before = size;
    return emptied;
  };
  await expect.poll(look, { interval: 5 }).toBeGreaterThan(2);
  await app.stop(5_000);
  const kept = (await readFile(`${logFile}.previous`, 'utf8')) + (await readFile(logFile, 'utf8'));
  // Whole lines alone: a process that did not append would leave a gap of zero bytes.
  expect(kept).toMatch(/^(line \d+\n)+$/);
  const numbers = kept.match(/\d+/g)!.map(Number);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(numbers[0]).toBeGreaterThan(1);
});
