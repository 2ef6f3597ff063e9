import { describe, expect, it } from 'vitest';
import { packagesThatWarn, withoutWarnings } from './locked-engines.js';

const lock = {
  lockfileVersion: 3,
  packages: {
    '': { engines: { node: '>=22.15' } },
    'node_modules/old': { version: '1.0.0', engines: { node: '>=18' } },
    'node_modules/new': { version: '2.0.0', engines: { node: '>=22.12.0' }, license: 'MIT' },
    'node_modules/even': { engines: { node: '^22.13||^24||>=26' } },
    'node_modules/fine': { engines: { node: '^20.9.0 || >=22' } },
    'node_modules/optional': { optional: true, engines: { node: '>=22' } },
    'node_modules/ancient': { engines: ['node >= 0.8'] },
    'node_modules/none': {},
  },
};

describe('a lock file', () => {
  it('names the packages that make npm warn on Node 20', () => {
    expect(packagesThatWarn(lock)).toEqual(['node_modules/new', 'node_modules/even']);
  });

  it('loses their engines, and nothing else', () => {
    const quiet = withoutWarnings(lock);
    expect(packagesThatWarn(quiet)).toEqual([]);
    expect(JSON.stringify(quiet)).toBe(
      JSON.stringify({
        ...lock,
        packages: {
          ...lock.packages,
          'node_modules/new': { version: '2.0.0', license: 'MIT' },
          'node_modules/even': {},
        },
      }),
    );
  });
});
