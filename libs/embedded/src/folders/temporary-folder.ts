import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, canReach } from './account.js';
import { claim, liveOwner } from './owner.js';

const prefix = 'spillway-';
const ownerFile = 'owner';

export interface TemporaryFolder {
  path: string;
  remove(): Promise<void>;
}

/**
 * A folder that `account` can reach and that `remove` deletes. A killed process cannot remove its folder, so each new
 * one also removes those with dead owners.
 */
export async function temporaryFolder(account: Account | null = null): Promise<TemporaryFolder> {
  const parent = (await canReach(account, tmpdir())) ? tmpdir() : '/tmp';
  await removeAbandoned(parent);
  const path = await mkdtemp(join(parent, prefix));
  // Others may pass through, and list nothing.
  await chmod(path, 0o711);
  await claim(join(path, ownerFile), (pid) => `${path} belongs to process ${pid}.`);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const path = join(parent, name);
    const owner = await stat(join(path, ownerFile)).catch(() => null);
    // Without an owner file it is not ours, or another process is creating it.
    if (!owner || owner.uid !== (process.getuid?.() ?? owner.uid)) continue;
    if ((await liveOwner(join(path, ownerFile))) !== null) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
