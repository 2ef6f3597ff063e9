import { unzipSync } from 'fflate';
import { createRequire } from 'node:module';
import { createHash } from 'node:crypto';
import { access, chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { runCommand } from '../../run-command.js';
import { repository } from '../../repository.js';

/** A real Helm. */
export interface Helm {
  path: string;
  version: string;
}

/**
 * Finds every Helm: the one that a package of the AWS CDK holds for Linux on x64 (ADR 101), and one of the machine. Two
 * are both used, since an old and a new Helm must understand the chart.
 */
export async function findHelms(): Promise<Helm[]> {
  const paths = [await ofPackage(), await ofMachine()].filter((path) => path !== null);
  return Promise.all(paths.map(async (path) => ({ path, version: await versionOf(path) })));
}

/** Unpacks the program once; its name holds the hash of the archive. Null on other machines. */
async function ofPackage(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const entry = createRequire(import.meta.url).resolve('@aws-cdk/asset-kubectl-v20');
  const archive = await readFile(join(dirname(entry), 'layer.zip'));
  const folder = join(repository, '.cache/helm');
  const path = join(folder, `helm-${createHash('sha256').update(archive).digest('hex').slice(0, 16)}`);
  if (await exists(path)) return path;
  const { 'helm/helm': program } = unzipSync(archive, { filter: ({ name }) => name === 'helm/helm' });
  if (!program) throw new Error('@aws-cdk/asset-kubectl-v20 holds no helm/helm.');
  await mkdir(folder, { recursive: true });
  // Another check may unpack at the same time: each writes its own file, and the last name counts.
  const unpacked = `${path}.${process.pid}`;
  await writeFile(unpacked, program);
  await chmod(unpacked, 0o755);
  await rename(unpacked, path);
  return path;
}

async function ofMachine(): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) if (await exists(join(folder, 'helm'))) return join(folder, 'helm');
  return null;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function versionOf(path: string): Promise<string> {
  const { ok, output } = await runCommand([path, 'version', '--template', '{{ .Version }}']);
  if (!ok) throw new Error(`${path} does not run: ${output}`);
  return output.trim();
}
