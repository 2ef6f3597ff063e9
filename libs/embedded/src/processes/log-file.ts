import { copyFile, rename, stat, truncate } from 'node:fs/promises';

/** Upper bound of a log, so that a process that runs for months cannot fill the disk. `.previous` may be as large. */
const maxBytes = 50 * 1024 * 1024;
const checkMs = 10_000;

/** Logs of the previous start are kept, so that they do not grow forever and a crash can still be analyzed. */
export async function freshLog(path: string): Promise<string> {
  await rename(path, `${path}.previous`).catch(() => undefined);
  return path;
}

/** Keeps a log that a process appends to below `maxLogBytes`, until the function that it returns is called. */
export function limitLog(
  path: string,
  { maxLogBytes = maxBytes, logCheckMs = checkMs }: { maxLogBytes?: number; logCheckMs?: number },
): () => void {
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    void emptyLarge(path, maxLogBytes).finally(() => (isBusy = false));
  }, logCheckMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Moves what a large log holds to `.previous`. The process has the file open, so it is copied and emptied in place; lines
 * that come between the two are lost. On a full disk, where the copy fails, it is emptied all the same.
 */
async function emptyLarge(path: string, maxLogBytes: number): Promise<void> {
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size <= maxLogBytes) return;
  await copyFile(path, `${path}.previous`).catch(() => undefined);
  await truncate(path).catch(() => undefined);
}
