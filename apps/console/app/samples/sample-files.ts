import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The repository's recorded threads. The build copies them beside the server, which runs in that folder
 * (build/add-static-files.mjs); `next dev` runs in apps/console and finds the repository's own.
 */
function folder(): string {
  const here = process.cwd();
  const beside = join(/* turbopackIgnore: true */ here, 'samples');
  return existsSync(beside) ? beside : join(/* turbopackIgnore: true */ here, '..', '..', 'samples');
}

const extension = '.jsonl';

/** Names of the samples; none when the console was installed without them. */
export async function sampleNames(): Promise<string[]> {
  const files = await readdir(folder()).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return files
    .filter((file) => file.endsWith(extension))
    .map((file) => file.slice(0, -extension.length))
    .sort();
}

/** The messages of a sample, in order. */
export async function readSample(name: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(folder(), name + extension), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
