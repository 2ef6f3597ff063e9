import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { minNode, nodeComplaint } from './index.js';

const root = new URL('../../../', import.meta.url);

describe('a version of Node.js', () => {
  it.each(['22.15.0', '22.22.1', '24.0.0', '26.1.0-nightly20260101'])('%s is accepted', (version) => {
    expect(nodeComplaint(version)).toBeNull();
  });

  it('that is too old is refused with what to do', () => {
    for (const version of ['18.20.8', '20.20.2', '22.14.9', '21.9.0'])
      expect(nodeComplaint(version)).toBe(
        `Spillway needs Node.js ${minNode} or newer; this is ${version}. ` +
          'On Linux, npm ci installs one: run node_modules/.bin/node. Elsewhere, get it from https://nodejs.org.',
      );
  });
});

test('every program checks its Node.js before it imports anything else', () => {
  const programs = globSync(['{apps,tools,bench}/**/src/**/main.ts', 'libs/testing/src/**/main.ts'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  expect(programs).toEqual(expect.arrayContaining(['apps/api/src/main.ts', 'apps/worker/src/main.ts']));
  const first = (program: string) => /^import .*$/m.exec(readFileSync(new URL(program, root), 'utf8'))?.[0];
  const unchecked = programs.filter(
    (program) => first(program) !== `import '@spillway/node-version/require';`,
  );
  expect(unchecked).toEqual([]);
});
