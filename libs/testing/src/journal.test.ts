import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@spillway/embedded';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournal, readJournal, type NewEntry } from './journal.js';

let folder: TemporaryFolder;
let path: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'journal.jsonl');
});
afterEach(() => folder.remove());

const intent = (id: string): NewEntry => ({ kind: 'intent', project: 'p', thread: 't', id, sha256: 'x' });
const ids = async () => (await readJournal(path)).map((entry) => (entry.kind === 'intent' ? entry.id : ''));

test('a line is in the file before the writer goes on, and lines keep their order', async () => {
  const journal = await openJournal(path);
  for (const id of ['a', 'b']) {
    await journal.write(intent(id));
    expect(await readFile(path, 'utf8')).toContain(`"id":"${id}"`);
  }
  await Promise.all(Array.from({ length: 500 }, (_, i) => journal.write(intent(`${i}`))));
  await journal.close();
  expect(await ids()).toEqual(['a', 'b', ...Array.from({ length: 500 }, (_, i) => `${i}`)]);
});

test('a journal is gone on with, and a line that a crash cut off is nobody’s', async () => {
  for (const id of ['a', 'b']) {
    const journal = await openJournal(path);
    await journal.write(intent(id));
    await journal.close();
  }
  await appendFile(path, '{"kind":"intent","pro');
  expect(await ids()).toEqual(['a', 'b']);
});
