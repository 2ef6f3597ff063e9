import { watch } from 'node:fs';
import { join } from 'node:path';
import { build, createServer } from 'vitepress';
import { repository } from './repository.js';
import { writePages } from './write-pages.js';

const root = join(repository, 'site');

/** `npm run docs` serves the site and writes its pages again when a document changes; `npm run docs:build` builds it. */
async function main(command: string | undefined): Promise<void> {
  await writePages();
  if (command === 'build') return build(root);
  if (command !== 'dev') throw new Error(`Unknown command "${command ?? ''}": use build or dev`);
  const server = await createServer(root);
  await server.listen();
  server.printUrls();
  watchDocuments();
}

function watchDocuments(): void {
  let timer: NodeJS.Timeout | undefined;
  const soon = (_event: string, name: string | null) => {
    if (!name?.endsWith('.md') && !name?.endsWith('openapi.json')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A broken link is shown and repaired while the server runs.
      writePages().catch((error: unknown) => console.error(error instanceof Error ? error.message : error));
    }, 200);
  };
  for (const folder of ['docs', 'libs/client', 'libs/cli', 'libs/adapters'])
    watch(join(repository, folder), { recursive: true }, soon);
  watch(repository, soon);
}

await main(process.argv[2]);
