import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from './repository.js';

/** A file that a program makes from others. */
export interface GeneratedFile {
  /** From the top of the repository. */
  path: string;
  text: string;
}

export async function writeGenerated(files: readonly GeneratedFile[]): Promise<void> {
  for (const { path, text } of files) await writeFile(join(repository, path), text);
}

/** Returns a complaint for each file that is not as `command` would write it. */
export async function staleFiles(files: readonly GeneratedFile[], command: string): Promise<string[]> {
  const complaints: string[] = [];
  for (const { path, text } of files) {
    const committed = await readFile(join(repository, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (committed !== text) complaints.push(`${path} is stale: run ${command}`);
  }
  return complaints;
}
