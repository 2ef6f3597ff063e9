import { aptInstall, isProgram, onPath } from '../processes/program.js';
import { StartError } from '../processes/start-error.js';

const names = ['redis-server', 'valkey-server'];

export type RedisBinary = { path: string } | { path: null; reason: string };

/**
 * A Redis server program: REDIS_SERVER_BIN, else one on PATH, else (as root, with apt-get) installed now. Without one,
 * the reason says how to get it.
 */
export async function redisBinary(say: (line: string) => void, install: boolean): Promise<RedisBinary> {
  const named = process.env['REDIS_SERVER_BIN'];
  if (named) {
    if (await isProgram(named)) return { path: named };
    throw new StartError(`REDIS_SERVER_BIN is ${named}, which is not a program: correct it or unset it.`);
  }
  const found = await onPath(names);
  if (found) return { path: found };
  const how = 'install redis-server (or valkey-server), or set REDIS_URL';
  if (!install) return { path: null, reason: `No redis-server found: ${how}.` };
  const failure = await aptInstall('redis-server', say);
  const installed = await onPath(names);
  if (installed) return { path: installed };
  return { path: null, reason: `No redis-server found (${failure}): ${how}.` };
}
