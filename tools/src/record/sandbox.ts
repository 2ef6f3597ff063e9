import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../repository.js';
import type { Fault, Scenario } from './scenario.js';

const run = promisify(execFile);

/** The author of the story's commits. */
const developer = ['-c', 'user.name=dev', '-c', 'user.email=dev@mail.example'];

export interface Sandbox {
  /** The copy of the repository. */
  repo: string;
  home: string;
  remove(): Promise<void>;
}

/** A fresh clone of this repository's last commit with its dependencies, which the agent may change freely. */
export async function openSandbox({
  faults,
  faultCommit,
}: Pick<Scenario, 'faults' | 'faultCommit'>): Promise<Sandbox> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'record-')));
  const repo = join(home, 'repo');
  const remove = (): Promise<void> => rm(home, { recursive: true, force: true });
  try {
    await run('git', ['clone', '--quiet', repository, repo]);
    await copyDependencies(join(repo, 'node_modules'));
    for (const generated of ['libs/engine/src/generated', 'libs/store/src/generated'])
      await cp(join(repository, generated), join(repo, generated), { recursive: true });
    for (const fault of faults) await inject(repo, fault);
    if (faultCommit)
      await run('git', ['-C', repo, ...developer, 'commit', '--quiet', '-a', '-m', faultCommit]);
    return { repo, home, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function copyDependencies(to: string): Promise<void> {
  const from = join(repository, 'node_modules');
  // Hard links where both are on one disk: a gigabyte in seconds.
  await run('cp', ['-al', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true });
    await run('cp', ['-a', from, to]);
  });
}

async function inject(repo: string, { path, old, new: replacement }: Fault): Promise<void> {
  const file = join(repo, path);
  const text = await readFile(file, 'utf8');
  if (text.split(old).length !== 2) throw new Error(`${path} does not hold exactly once: ${old}`);
  await writeFile(
    file,
    text.replace(old, () => replacement),
  );
}
