import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const shared = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    // Stacks are real processes on a machine that may have two cores.
    maxWorkers: 2,
    projects: [
      {
        // As the console's own tsconfig has it, for the tests beside its sources.
        resolve: { alias: { '@': fileURLToPath(new URL('apps/console', import.meta.url)) } },
        test: {
          ...shared,
          name: 'spillway',
          globalSetup: ['test/global-setup.ts'],
          include: [
            '{libs,apps,tools,bench}/**/src/**/*.test.ts',
            'apps/console/{app,ui}/**/*.test.ts',
            'test/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', 'test/abuse/**', 'test/trajectories/**'],
        },
      },
      {
        test: {
          ...shared,
          name: 'abuse',
          // Hostile requests need no stack of their own: one takes them all.
          globalSetup: ['test/global-setup.ts', 'test/abuse/one-stack.ts'],
          include: ['test/abuse/**/*.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'trajectories',
          // Threads that the repository does not hold: `npm test` leaves them out, .ci/run does not.
          globalSetup: ['test/global-setup.ts'],
          include: ['test/trajectories/**/*.test.ts'],
        },
      },
    ],
  },
});
