import { nodeFileTrace } from '@vercel/nft';
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const [app, to] = process.argv.slice(2);
if ((app !== 'api' && app !== 'worker') || !to) {
  console.error(
    'Usage, from the top of the repository, after a build: node deploy/collect.mjs <api|worker> <folder>',
  );
  process.exit(2);
}

/** Programs of an image: the app, the threads that it starts by their addresses, and for the API what migrates. */
const programs = [
  `apps/${app}/dist/bundle/main.js`,
  'libs/blobs/dist/grep/match-worker.js',
  'libs/service/dist/outputs/json-path/evaluate.js',
  'libs/service/dist/outputs/text-work/worker.js',
  ...(app === 'api' ? ['libs/store/dist/migrations/migrate-main.js'] : []),
];

/** What no program imports: maps of our sources, the version, and for the API migrations and what browsers load. */
const read = [
  `apps/${app}/dist/bundle`,
  'libs/service/package.json',
  ...(app === 'api'
    ? ['prisma/migrations', 'node_modules/swagger-ui-dist', 'node_modules/@bull-board/ui']
    : []),
];

/**
 * Copies what an app needs at run time, and nothing else, to a folder: what its programs import, file by file. The
 * packages of the whole repository are thirty times as much, and each is one more that a report of weaknesses may name.
 */
const { fileList } = await nodeFileTrace(programs, { ignore: ['**/*.d.ts', '**/*.tsbuildinfo'] });
const maps = [...fileList].filter((file) => file.startsWith('libs/')).map((file) => `${file}.map`);
for (const file of [...fileList, ...maps.filter((map) => existsSync(map)), ...read]) {
  await mkdir(dirname(join(to, file)), { recursive: true });
  await cp(file, join(to, file), { recursive: true, verbatimSymlinks: true });
}
