import { describe, expect, test } from 'vitest';
import { weighLine } from './failure-rules.js';

describe('a line whose only sign of a failure is part of a name tells of none', () => {
  test.each([
    "  Imported via './unrecoverable-error' from file 'node_modules/bullmq/dist/esm/classes/index.d.ts'",
    "  Library referenced via 'es2022.error' from file 'node_modules/typescript/lib/lib.es2022.d.ts'",
    'node_modules/typescript/lib/lib.es2022.error.d.ts',
    '│ │ │ └─┬ error-ex@1.3.0',
    '     21 apps/console/app/error.tsx',
    '/workspace/python__mypy__1.6/mypy/errors.py',
    'http-errors\t2.0.1\tMIT',
    'npm http fetch GET 200 https://registry.example/json-parse-even-better-errors 11ms',
    'Removing: ~/Library/Logs/libgpg-error... (64B)',
  ])('%s', (line) => {
    expect(weighLine(line)).toEqual({ failure: 0, withHints: 0 });
  });
});

describe('a word by itself tells of one', () => {
  test.each([
    'Loading the schema...failed',
    'upload error, see above',
    'import of orders/2024 failed.',
    'the job ended with an exception',
  ])('%s', (line) => {
    expect(weighLine(line).failure).toBeGreaterThanOrEqual(3);
  });
});
