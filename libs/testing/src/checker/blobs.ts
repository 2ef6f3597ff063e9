import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

export interface FoundBlob {
  bytes: number;
  sha256: string;
}

/** Every file below the folder, by key, with unfinished files of crashed writers listed separately. */
export async function readBlobs(
  folder: string,
): Promise<{ blobs: Map<string, FoundBlob>; leftovers: string[] }> {
  const blobs = new Map<string, FoundBlob>();
  const leftovers: string[] = [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(nothingStored);
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const key = relative(folder, path);
    if (key.startsWith('.tmp/')) leftovers.push(key);
    else blobs.set(key, await hashOf(path));
  }
  return { blobs, leftovers };
}

function nothingStored(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

async function hashOf(path: string): Promise<FoundBlob> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
