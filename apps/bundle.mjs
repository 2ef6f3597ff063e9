import { appendFile, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(process.cwd(), 'dist/bundle');

/** Packages that find files beside themselves, start threads, are optional, or are loaded late and seldom. */
const external = [
  /^@ai-sdk\//,
  /^@aws-sdk\//,
  /^@bull-board\//,
  /^@nestjs\/(microservices|websockets)/,
  /^@opentelemetry\/(?!api$)/,
  /^ai$/,
  /^class-(transformer|validator)/,
  /^msgpackr-extract$/,
  /^pg-native$/,
  /^piscina$/,
  /^swagger-ui-dist/,
  /^undici$/,
  /wasm-base64/,
];

/** Our modules find files and threads by their own address: that stays the one of the file that tsc wrote. */
const ownAddress = {
  name: 'own-address',
  async load(id) {
    if (!id.startsWith(root) || id.includes('node_modules') || !id.endsWith('.js')) return null;
    const code = await readFile(id, 'utf8');
    const map = await readFile(`${id}.map`, 'utf8').catch(() => null);
    const address = `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`;
    return { code: code.replaceAll('import.meta.url', address), map };
  },
};

/**
 * pino asks who called it, to find transports beside that file; we have none. With source maps on, that question parses
 * ours: a tenth of a second in each start.
 */
const nobodyCalled = {
  name: 'nobody-called',
  load: (id) => (/pino\/lib\/caller\.js$/.test(id) ? 'module.exports = () => []' : null),
};

/**
 * Writes the app of the current folder as a few files: `dist/bundle/main.js` and what it loads later. A start then
 * reads these instead of some 2,000 modules, which halves its CPU (ADR 88). Usage, after tsc: node ../bundle.mjs
 */
const bundle = await rolldown({
  input: 'dist/main.js',
  platform: 'node',
  external,
  plugins: [ownAddress, nobodyCalled],
  // A package's own way to load what is optional is not a fault of ours.
  logLevel: 'silent',
});
const { output } = await bundle.write({
  dir: folder,
  cleanDir: true,
  format: 'esm',
  keepNames: true,
  // Node.js reads the maps that a file names when it loads it, which takes as long as all the rest of a start. Ours show
  // lines of our sources in stack traces; those of the packages stay unread.
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
  codeSplitting: {
    groups: [
      // The supervisor of several processes loads the log and none of the other packages.
      { name: 'packages-log', test: /node_modules\/pino\//, priority: 1 },
      { name: 'packages', test: /node_modules/ },
    ],
  },
});
for (const chunk of output) {
  if (chunk.type === 'chunk' && !chunk.name.startsWith('packages'))
    await appendFile(join(folder, chunk.fileName), `//# sourceMappingURL=${chunk.fileName}.map\n`);
}
