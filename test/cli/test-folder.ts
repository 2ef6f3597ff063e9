import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

export interface TestFolder {
  /** Empty until the tests begin. */
  path: string;
  /** Writes a file, and returns its path. */
  fileWith: (name: string, text: string) => string;
}

/** A folder for the files of a test file, which is removed after its tests. */
export function testFolder(): TestFolder {
  const folder: TestFolder = {
    path: '',
    fileWith(name, text) {
      const file = join(folder.path, name);
      writeFileSync(file, text);
      return file;
    },
  };
  beforeAll(() => {
    folder.path = mkdtempSync(join(tmpdir(), 'spillway-cli-'));
  });
  afterAll(() => rmSync(folder.path, { recursive: true }));
  return folder;
}

/** Values as JSON lines. */
export const jsonLines = (...values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
