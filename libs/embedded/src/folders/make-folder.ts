import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../processes/start-error.js';

/**
 * Creates a folder and its parents. Not `mkdir` with `recursive`: where the system answers ENOENT for a folder that
 * cannot be created (under /proc), Node retries forever.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if (errorCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (errorCode(error) !== 'ENOENT' || parent === path) throw error;
    if (await isFolder(parent)) throw error;
    await makeFolder(parent);
    await makeFolder(path, mode);
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
