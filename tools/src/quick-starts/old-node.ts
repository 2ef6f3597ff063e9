import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freshEnvironment, runLine } from './command.js';

/** The oldest major version that the packages promise to run on. */
export const oldMajor = 20;

/** Installs the newest Node.js of that major version from npm. */
export async function installOldNode(
  parent: string,
  signal: AbortSignal,
): Promise<{ program: string; version: string }> {
  const folder = join(parent, 'old-node');
  await mkdir(folder);
  const name = `node-${process.platform}-${process.arch}`;
  const env = freshEnvironment(process.execPath);
  await runLine({
    line: `npm init -y && npm install ${name}@${oldMajor}`,
    folder,
    env,
    maxSeconds: 180,
    signal,
  });
  const program = join(folder, 'node_modules', name, 'bin/node');
  const { stdout } = await runLine({ line: `'${program}' --version`, folder, env, maxSeconds: 30, signal });
  return { program, version: stdout.trim().slice(1) };
}
