import type { Guard } from '../guard.js';

/** A clone with nothing beside it installs, tests and runs, or says why not. */
export const guardsOfStranger: Guard[] = [
  {
    name: 'a Node.js that is too old is refused',
    findings: ['console Node 20'],
    file: 'libs/node-version/src/index.ts',
    find: 'major > 0 || (major === 0 && minor >= 0)',
    replace: 'major > 0 || (major === 0 && minor >= 0) || major < 0',
    test: {
      file: 'libs/node-version/src/node-version.test.ts',
      name: 'that is too old is refused with what to do',
    },
  },
  {
    name: 'the API checks its Node.js before it imports anything else',
    findings: ['console Node 20'],
    file: 'apps/api/src/main.ts',
    find: `import '@spillway/node-version/require';`,
    replace: '',
    test: {
      file: 'libs/node-version/src/node-version.test.ts',
      name: 'every program checks its Node.js before it imports anything else',
    },
  },
  {
    name: 'a port that another process took is not used',
    findings: ['stranger'],
    file: 'libs/embedded/src/processes/port.ts',
    find: '!taken.test(String(error)) || tries === maxTries',
    replace: 'tries > 0',
    test: {
      file: 'libs/embedded/src/processes/port.test.ts',
      name: 'a port that somebody takes first is left to them, and another one is tried',
    },
  },
];
