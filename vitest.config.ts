import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    include: ['{libs,apps,tools,bench}/**/src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Stacks are real processes on a machine that may have two cores.
    maxWorkers: 2,
  },
});
