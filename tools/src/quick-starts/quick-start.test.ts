import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../repository.js';
import { countLines, quickStartOf } from './quick-start.js';
import { starts } from './starts.js';

const fence = '```';
const page = `# Package

## Quick start

${fence}sh
npm install package
${fence}

${fence}js
// # no heading
const a = 1;

use(a);
${fence}

Save it as \`a.mjs\`, set \`KEY\`, run \`node a.mjs 'a b'\`. The lines are TypeScript as well.

### More

${fence}js
other();
${fence}

### Others

Save the lines as \`.b/c.ts\` and run \`npx b\`.

#### One of them

${fence}sh
npm install b
${fence}

${fence}ts
b();
${fence}
`;

test('a quick start is the blocks under its heading, word for word, up to the next heading', () => {
  expect(quickStartOf(page, 'Quick start')).toEqual({
    install: 'npm install package\n',
    code: '// # no heading\nconst a = 1;\n\nuse(a);\n',
    file: 'a.mjs',
    command: "node a.mjs 'a b'",
    isTypeScript: true,
  });
});

test('several quick starts share the sentence before them', () => {
  expect(quickStartOf(page, 'One of them')).toEqual({
    install: 'npm install b\n',
    code: 'b();\n',
    file: '.b/c.ts',
    command: 'npx b',
    isTypeScript: false,
  });
});

test.each([
  ['without the heading', page, 'Start', '0 headings "Start" instead of one'],
  ['with two such headings', page + page, 'Quick start', '2 headings'],
  ['without a block', page, 'More', '0 blocks of sh under "More"'],
  ['with two blocks of a language', page.replace('### More\n', ''), 'Quick start', '2 blocks of js or ts'],
  [
    'without a sentence that says how to run it',
    page.replace('Save it', 'Type it'),
    'Quick start',
    '"Save it as',
  ],
  ['with a block that does not end', `${page}${fence}js\n`, 'Quick start', 'is not closed'],
])('a page %s is refused', (_, text, heading, reason) => {
  expect(() => quickStartOf(text, heading)).toThrow(reason);
});

test('counts lines without empty ones and comments, and those that name Spillway or what it gave', () => {
  const code = `// comment\n\nimport { a } from '@spillway/a';\nconst thread = a();\n  // indented\nlog(1);\n`;
  expect(countLines(code)).toEqual({ all: 3, ofSpillway: 2 });
});

describe.each(starts)('the quick start of $name', ({ page: path, heading }) => {
  test('installs every package that its lines import', async () => {
    const { install, code, file } = quickStartOf(await readFile(join(repository, path), 'utf8'), heading);
    const names = install.trim().split(' ').slice(2);
    const installed = names.map((name) => name.replace(/(?<=.)@.*$/, ''));
    const imported = [...code.matchAll(/from '((?:@[^/']+\/)?[^/']+)/g)].map(([, name]) => name!);
    // What is saved for a coding agent is its settings, and no program.
    expect(imported.length > 0).toBe(/\.[cm]?[jt]s$/.test(file));
    expect(installed).toEqual(expect.arrayContaining(imported));
  });
});
