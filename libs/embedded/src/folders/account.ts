import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '../processes/start-error.js';

/** The account of a server process, if not our own. */
export interface Account {
  uid: number;
  gid: number;
  name: string;
}

/**
 * Postgres refuses to run as root, so root runs it as an existing account: the owner of `existingData`, else
 * `postgres`, else `nobody`. Null: run it as the current user. Adds no user to the machine.
 */
export async function serverAccount(existingData: string | null): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const accounts = await knownAccounts();
  const owner = existingData ? await stat(existingData).catch(() => null) : null;
  if (owner && owner.uid !== 0) {
    return (
      accounts.find((a) => a.uid === owner.uid) ?? { uid: owner.uid, gid: owner.gid, name: `${owner.uid}` }
    );
  }
  const account =
    accounts.find((a) => a.name === 'postgres') ?? accounts.find((a) => a.name === 'nobody' && a.uid > 0);
  if (account) return account;
  throw new StartError(
    'Postgres refuses to run as root and there is no user postgres or nobody: run as another user, or set DATABASE_URL.',
  );
}

async function knownAccounts(): Promise<Account[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/** Whether `account` can read and enter `path` and all folders above it. Missing folders count as accessible. */
export async function canReach(account: Account | null, path: string): Promise<boolean> {
  if (!account) return true;
  for (let at = path; ; at = dirname(at)) {
    const found = await stat(at).catch(() => null);
    if (found) {
      const mode =
        found.uid === account.uid
          ? found.mode >> 6
          : found.gid === account.gid
            ? found.mode >> 3
            : found.mode;
      const needed = at === path && !found.isDirectory() ? 0o4 : 0o1;
      if ((mode & needed) !== needed) return false;
    }
    if (dirname(at) === at) return true;
  }
}
