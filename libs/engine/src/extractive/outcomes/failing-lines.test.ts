import { describe, expect, test } from 'vitest';
import { failingLines } from './failing-lines.js';

const of = (...lines: string[]): string[] => failingLines(lines.join('\n'), false);

describe('the lines that say what failed', () => {
  test('of a traceback are its exception, and neither its first line nor the statement that raised', () => {
    expect(
      of(
        'Traceback (most recent call last):',
        '  File "/srv/report_error.py", line 14, in <module>',
        '    trainer.attach(model)',
        '  File "/srv/lib/engine.py", line 88, in attach',
        "    raise AttributeError(f'{name} has no attach')",
        "AttributeError: 'Identity' object has no attribute 'attach'",
      ),
    ).toEqual(["AttributeError: 'Identity' object has no attribute 'attach'"]);
  });

  test('of a test run are the test and its assertion, each once', () => {
    expect(
      of(
        ' ✓ reads a window 2ms',
        ' × names are compared exactly 5ms',
        '⎯⎯⎯ Failed Tests 1 ⎯⎯⎯',
        ' FAIL  src/names.test.ts > names are compared exactly',
        'AssertionError: expected 8192 to be 4096',
        ' Tests  1 failed | 1 passed (2)',
      ),
    ).toEqual(['× names are compared exactly 5ms', 'AssertionError: expected 8192 to be 4096']);
  });

  test('of a build are two that differ, not one reason at two places', () => {
    expect(
      of(
        "src/plan.ts(54,78): error TS2339: Property 'tokens' does not exist on type 'Budget'.",
        "src/plan.ts(80,41): error TS2339: Property 'tokens' does not exist on type 'Budget'.",
        "src/cut.ts(7,3): error TS2304: Cannot find name 'join'.",
      ),
    ).toEqual([
      "src/plan.ts(54,78): error TS2339: Property 'tokens' does not exist on type 'Budget'.",
      "src/cut.ts(7,3): error TS2304: Cannot find name 'join'.",
    ]);
  });

  test('of a build leave out what it says of its own progress', () => {
    expect(
      of(
        "3:35:47 AM - Project 'libs/engine' is out of date because 'tsconfig.tsbuildinfo' does not exist",
        "src/plan.ts(54,78): error TS2339: Property 'tokens' does not exist on type 'Budget'.",
      ),
    ).toEqual(["src/plan.ts(54,78): error TS2339: Property 'tokens' does not exist on type 'Budget'."]);
  });

  test('are those that say why, before those that only say that there is an error', () => {
    expect(
      of(
        'Error: Prisma schema validation - (validate wasm)',
        'Error code: P1012',
        'error: Type "Integer" is neither a built-in type, nor refers to another model, or enum.',
      ),
    ).toEqual([
      'Error: Prisma schema validation - (validate wasm)',
      'error: Type "Integer" is neither a built-in type, nor refers to another model, or enum.',
    ]);
  });

  test('of Elixir begin with the marks of a comment', () => {
    expect(of('Compiling 3 files (.ex)', '** (KeyError) key :room not found in: %{}')).toEqual([
      '** (KeyError) key :room not found in: %{}',
    ]);
  });

  test('hold the line after a heading that says nothing', () => {
    expect(of('ERROR:', '', 'The `view_range` parameter is not allowed for a directory.')).toEqual([
      'ERROR: The `view_range` parameter is not allowed for a directory.',
    ]);
  });

  test('stand at the end of a long output too', () => {
    const steps = Array.from({ length: 4_000 }, (_, i) => `step ${i} of the import`);
    expect(of(...steps, 'fatal: the remote end hung up unexpectedly')).toEqual([
      'fatal: the remote end hung up unexpectedly',
    ]);
  });

  test('are the first one where a tool says that it failed in words that no rule knows', () => {
    expect(failingLines('\nbad luck\nand more', true)).toEqual(['bad luck']);
    expect(of('{"error":{"reason":"seat taken"}}')).toEqual(['{"error":{"reason":"seat taken"}}']);
  });
});

describe('what speaks of failures reports none', () => {
  test.each<[string, string[]]>([
    ['a path', ['File created at: /srv/reproduce_error.py', 'python3 /srv/test_failures.py']],
    [
      'a part of a file with its numbers',
      [
        'The file /srv/athena.py has been edited. This is how it looks now:',
        '     3\tfrom botocore.exceptions import ClientError',
        "     4\tmessage = 'ValueError: no such group'",
        '     5\t# ERROR: this cannot be reached',
      ],
    ],
    [
      'a search of sources',
      [
        "src/a.ts:12:  throw new Error('failed: no group')",
        "src/b.ts:3:  return this.error('no such group')",
        'src/c.md:70:ERROR: what the page shows then',
      ],
    ],
    ['a count of none', ['42 passed, 0 failed', 'no errors found']],
  ])('%s', (_, lines) => {
    expect(of(...lines)).toEqual([]);
  });

  test('words of a run that ended well, unless they name an exception', () => {
    expect(of('ERROR of 2 px in the layout, corrected', 'exit code: 0')).toEqual([]);
    expect(of('TypeError: x is not a function', 'exit code: 0')).toEqual(['TypeError: x is not a function']);
  });
});
