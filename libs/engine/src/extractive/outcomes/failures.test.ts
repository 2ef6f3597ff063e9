import { describe, expect, test } from 'vitest';
import { formats } from '../../formats/formats.js';
import { seqMessage } from '../../messages/seq-message.js';
import { failuresOf } from './failures.js';

/** Runs of commands with what each printed. */
const runs = (...all: [command: string, output: string][]) =>
  all
    .flatMap(([command, content], i) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: `c${i}`,
            type: 'function',
            function: { name: 'bash', arguments: JSON.stringify({ command }) },
          },
        ],
      },
      { role: 'tool', tool_call_id: `c${i}`, content },
    ])
    .map((body, i) => seqMessage(i + 1, formats.openai.read(body)));
const failures = (...all: [command: string, output: string][]): string[] =>
  failuresOf(runs(...all)).map(({ text }) => text);

const failed = "AttributeError: 'Identity' object has no attribute 'attach'";

test('a failure is fixed once the same command passes, whatever it is piped through', () => {
  expect(failures(['npm test 2>&1 | tail -5', failed], ['npm test', '42 passed'])).toEqual([
    `bash: ${failed} (passed at 4)`,
  ]);
});

test.each([
  ['npm test 2>&1 | head -3', '> app@1.0.0 test\n> vitest run'],
  ['npm test | grep snapshot', ''],
  ["npm test | sed -n '1,5p'", 'RUN v5'],
])('a run whose output is cut by "%s" has not passed', (command, output) => {
  expect(failures(['npm test', failed], [command, output])).toEqual([`bash: ${failed}`]);
});

test('the filter through which a failure was seen would show it again', () => {
  const command = 'npm test 2>&1 | grep Error';
  expect(failures([command, failed], [command, ''])).toEqual([`bash: ${failed} (passed at 4)`]);
  expect(failures([command, failed], ['npm test 2>&1 | head -3', ''])).toEqual([`bash: ${failed}`]);
});

test('a failure is fixed by the first run that would have shown it', () => {
  const later: [string, string][] = [
    ['npm test | head -3', 'RUN v5'],
    ['npm test | tail -3', '42 passed'],
    ['npm test', '42 passed'],
  ];
  expect(failures(['npm test', failed], ...later)).toEqual([`bash: ${failed} (passed at 6)`]);
});

test('a script that begins as another one did and passes fixes nothing of it', () => {
  const imports = Array.from({ length: 30 }, (_, i) => `from app.part${i} import run${i}`).join('\n');
  const script = (end: string): string => `python - <<'EOF'\n${imports}\n${end}\nEOF`;
  expect(failures([script('run1().attach()'), failed], [script('print(run2())'), 'done'])).toEqual([
    `bash: ${failed}`,
  ]);
});

describe('a later run has not passed', () => {
  test.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    'Interrupted by user',
    '[Request interrupted by user for tool use]',
    'Command running in background with ID: bash_1',
    '[no result was recorded for this call]',
    '[This message was erased.]',
    'Exit code: 1\nOutput:\n3 snapshots are obsolete',
    '3 snapshots are obsolete\n[exit code 1]',
    '{"output":"3 snapshots are obsolete","metadata":{"exit_code":1}}',
  ])('that says: %s', (output) => {
    const [first, ...later] = failures(['npm test', failed], ['npm test', output]);
    expect(first).toBe(`bash: ${failed}`);
    expect(later.join()).not.toContain('passed at');
  });
});

test.each([
  '',
  '(no output)',
  '42 passed',
  'Exit code: 0\nOutput:\n42 passed',
  '{"output":"42 passed","metadata":{"exit_code":0}}',
])('a later run has passed that says: %s', (output) => {
  expect(failures(['npm test', failed], ['npm test', output])).toEqual([`bash: ${failed} (passed at 4)`]);
});

test('a failure is read in what a program wrapped in JSON with its exit code', () => {
  const output = JSON.stringify({ output: `running\n${failed}\n`, metadata: { exit_code: 1 } });
  expect(failures(['npm test', output])).toEqual([`bash: ${failed}`]);
});
