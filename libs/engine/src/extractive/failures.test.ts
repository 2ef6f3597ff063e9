import { expect, test } from 'vitest';
import { formats } from '../formats/formats.js';
import { seqMessage } from '../messages/seq-message.js';
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

test('a script that begins as another one did and passes fixes nothing of it', () => {
  const imports = Array.from({ length: 30 }, (_, i) => `from app.part${i} import run${i}`).join('\n');
  const script = (end: string): string => `python - <<'EOF'\n${imports}\n${end}\nEOF`;
  expect(failures([script('run1().attach()'), failed], [script('print(run2())'), 'done'])).toEqual([
    `bash: ${failed}`,
  ]);
});
