import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Teardown } from '@spillway/embedded';
import { repository } from '../repository.js';
import { freshEnvironment, runLine } from './command.js';

interface Packed {
  filename: string;
  integrity: string;
  shasum: string;
}

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
}

/**
 * Packs every package that is not private by `npm pack` and serves them as a registry does, so that what is installed
 * is what would be published. Returns its address; all other packages come from the registry that npm is set to.
 */
export async function startOwnRegistry(
  { folder, signal }: { folder: string; signal: AbortSignal },
  teardown: Teardown,
): Promise<string> {
  const documents = new Map<string, (url: string) => object>();
  const tarballs = new Map<string, Buffer>();
  for (const path of globSync('libs/{*,adapters/*}/package.json', { cwd: repository })) {
    const manifest = JSON.parse(await readFile(join(repository, path), 'utf8')) as Manifest;
    if (manifest.private) continue;
    const { stdout } = await runLine({
      line: `npm pack --json --ignore-scripts --pack-destination '${folder}'`,
      folder: join(repository, dirname(path)),
      env: freshEnvironment(process.execPath),
      maxSeconds: 60,
      signal,
    });
    const [{ filename, integrity, shasum }] = JSON.parse(stdout) as [Packed];
    const { name, version } = manifest;
    tarballs.set(`/${filename}`, await readFile(join(folder, filename)));
    documents.set(`/${name}`, (url) => ({
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist: { tarball: `${url}/${filename}`, integrity, shasum } } },
    }));
  }

  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    const [tarball, document] = [tarballs.get(path), documents.get(path)];
    if (tarball) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(tarball);
    else if (document)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document(url)));
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  teardown.add('the registry', () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return url;
}
