import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { FileOrder } from './test/file-order.js';

const shared = {
  // Ends what hangs, and measures nothing: on a busy machine a test takes many times as long as alone.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // A test that asserts nothing can't fail, so it fails. What is awaited may take as long as with `until`.
  expect: { requireAssertions: true, poll: { timeout: process.env.CI ? 120_000 : 30_000 } },
  // Variables that a test replaces are restored before the next one, which may be of another file.
  unstubEnvs: true,
  // What is built is run as the apps run it: by Node.js itself.
  server: { deps: { external: [/\/dist\//] } },
};

/** As the console's own tsconfig has it, for the tests beside its sources. */
const console = { alias: { '@': fileURLToPath(new URL('apps/console', import.meta.url)) } };

/** Tests beside the sources, of which these start programs: Postgres, Redis, whole installations, npm, Helm. */
const besideSources = [
  '{libs,apps,tools,bench,site}/**/src/**/*.test.ts',
  'apps/console/{app,ui}/**/*.test.ts',
];
const withPrograms = [
  'libs/embedded/**/*.test.ts',
  'libs/client/src/package.test.ts',
  'tools/src/{start,deploy/chart}/**/*.test.ts',
];
const never = ['**/node_modules/**'];

/**
 * Files run one after another in a process, so that it loads dependencies once: a second of CPU for each file. State
 * stays in the processes of their stacks; what a file imports from test/ is evaluated anew.
 */
const overProcesses = { pool: 'forks', isolate: false } as const;

// Every stack starts the same programs: they are compiled once.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('.cache/node', import.meta.url));

export default defineConfig({
  // Beside node_modules, which npm ci removes: how long each file took, and what was transformed.
  cacheDir: '.cache/vite',
  test: {
    fsModuleCachePath: fileURLToPath(new URL('.cache/vitest', import.meta.url)),
    // A file waits for half of its time, and most start processes of their own: five keep two cores busy.
    maxWorkers: 5,
    sequence: { sequencer: FileOrder },
    tags: [
      { name: 'long', description: 'left to `npm run test:all`: what `npm test` has no time for (ADR 192)' },
    ],
    projects: [
      {
        resolve: console,
        test: {
          ...shared,
          name: 'unit',
          setupFiles: ['test/fixed-seed.ts'],
          // No servers, no files outside the system's temporary folder: these tests can share a thread.
          pool: 'threads',
          isolate: false,
          include: besideSources,
          exclude: [...never, ...withPrograms],
        },
      },
      {
        test: {
          ...shared,
          ...overProcesses,
          name: 'spillway',
          globalSetup: ['test/global-setup.ts', 'test/stack-lender.ts'],
          setupFiles: ['test/fixed-seed.ts'],
          include: [...withPrograms, 'test/**/*.test.ts'],
          exclude: [...never, 'test/abuse/**', 'test/trajectories/**'],
        },
      },
      {
        test: {
          ...shared,
          ...overProcesses,
          name: 'abuse',
          // Hostile requests need no stack of their own: one takes them all.
          globalSetup: ['test/global-setup.ts', 'test/abuse/one-stack.ts'],
          include: ['test/abuse/**/*.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          ...overProcesses,
          name: 'trajectories',
          // Threads that the repository does not hold: `npm test` leaves them out, .ci/run does not.
          globalSetup: ['test/global-setup.ts'],
          include: ['test/trajectories/**/*.test.ts'],
        },
      },
    ],
  },
});
