/** One command of the long run. */
export interface Step {
  name: string;
  command: string[];
  env: Record<string, string>;
}

/**
 * What takes too long for each change: full sizes, fresh seeds, the soak, and every guard taken away once. The seed
 * stands in the report, and running with it again takes the same way.
 */
export const stepsOf = (seed: number): Step[] => {
  const seeds = { SEED: String(seed), SPILLWAY_SEED: String(seed), SPILLWAY_ABUSE_SEED: String(seed) };
  return [
    {
      name: 'tests with a fresh seed',
      command: ['npm', 'run', 'test:all'],
      env: { ...seeds, SPILLWAY_SIZES: 'full' },
    },
    {
      name: 'every promise by that run',
      command: ['npm', 'run', 'check', '--', '--only', 'results'],
      env: {},
    },
    { name: 'faults, full', command: ['npm', 'run', 'test:faults'], env: seeds },
    { name: 'abuse, full', command: ['npm', 'run', 'test:abuse'], env: seeds },
    {
      name: 'a million simulated steps',
      command: ['npm', 'run', 'sim', '--', '--seed', String(seed), '--steps', '1000000'],
      env: {},
    },
    {
      name: 'soak of twenty minutes',
      command: ['npm', 'run', 'soak', '--', '--minutes', '20', '--seed', String(seed)],
      env: {},
    },
    { name: 'quick starts from an empty folder', command: ['npm', 'run', 'quick-starts'], env: {} },
    // Without a fresh seed: a guard is caught by the seeds and sizes of `npm run test:all`.
    { name: 'every guard is taken away once', command: ['npm', 'run', 'sabotage'], env: {} },
  ];
};
