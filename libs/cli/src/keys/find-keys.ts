import { CommandError, UsageError, type Call } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { clientOf } from '../program/server-settings.js';
import { readKeys, type Key } from './read-keys.js';

export async function keysThat(env: Call['env'], isWanted: (key: Key) => boolean): Promise<Key[]> {
  const wanted: Key[] = [];
  for await (const key of readKeys(clientOf(env))) if (isWanted(key)) wanted.push(key);
  return wanted;
}

export const isLive = ({ revoked_at: revoked, expires_at: expires }: Key): boolean =>
  revoked === null && (expires === null || Date.parse(expires) > Date.now());

/** Returns the id that is meant by an id or a prefix. Throws `UsageError` for one that means several keys. */
export async function keyIdOf(env: Call['env'], word: string): Promise<string> {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word)) return word;
  const prefix = word.replace(/…$/, '');
  const meant = await keysThat(env, (key) => isLive(key) && key.prefix === prefix);
  if (meant.length === 1) return meant[0]!.id;
  if (meant.length > 0)
    throw new UsageError(
      `${meant.length} live keys have the prefix ${JSON.stringify(word)}. Give the id of one.`,
    );
  throw new CommandError(
    'key_not_found',
    `${JSON.stringify(word)} is neither the id nor the prefix of a live key.`,
    '`spillway keys list` lists the keys of the project.',
    exitCode.notFound,
  );
}
