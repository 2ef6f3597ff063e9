import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCounter, type CountTokens } from '../../tokens/counter.js';
import { chatter, families } from './log-families.js';
import { logOutline, looksLikeLog, previewLog } from './log.js';

let count: CountTokens;
beforeAll(async () => {
  count = await loadCounter('o200k');
});
const room = { tokens: 600, headLines: 5, tailLines: 5 };
const show = (text: string): string => previewLog(text, room, count)!.text;

describe('the line that states the cause is shown, wherever it stands', () => {
  test.each(families)('%s', (_tool, lines, cause) => {
    for (const at of [3, 1_700, 3_996]) {
      const noise = chatter(4_000);
      const shown = show([...noise.slice(0, at), ...lines, ...noise.slice(at)].join('\n'));
      for (const said of cause) expect(shown).toContain(said);
      expect(count(shown)).toBeLessThanOrEqual(room.tokens);
    }
  });

  test('what comes just before the runner says that it failed is the reason, in whatever words', () => {
    const log = [
      ...chatter(900),
      '$ ./check',
      'The moon is in the wrong house.',
      'The command "./check" exited with 1.',
      ...chatter(40),
    ];
    expect(show(log.join('\n'))).toContain('The moon is in the wrong house.');
  });

  test('a failure that the run survived is not taken for the cause', () => {
    const log = [
      '$ ./setup',
      'curl: (22) The requested URL returned error: 404 Not Found',
      'The command "./setup" exited with 0.',
      ...chatter(500),
      '$ make check',
      'check.c:9:1: error: expected declaration',
      'The command "make check" exited with 2.',
    ];
    const lines = show(log.join('\n')).split('\n');
    expect(lines.some((line) => line.includes('check.c:9:1: error'))).toBe(true);
  });
});

describe('a preview of a log', () => {
  test('says exactly which lines are not shown', () => {
    const lines = [...chatter(300), 'E   AssertionError: no', ...chatter(300)];
    let next = 0;
    for (const said of show(lines.join('\n')).split('\n')) {
      const gap = /^--- lines? (\d+)(?:-(\d+))? not shown ---$/.exec(said);
      if (gap) expect(Number(gap[1])).toBe(next + 1);
      else expect(said).toBe(lines[next]);
      next = gap ? Number(gap[2] ?? gap[1]) : next + 1;
    }
    expect(next).toBe(601);
  });

  test('has no escape sequences and only the last state of a progress line', () => {
    const text = show(`\u001b[32mok\u001b[0m\n10%\r50%\r\u001b[31merror: boom\u001b[0m\nend`);
    expect(text).toContain('error: boom');
    expect(text).not.toMatch(/\u001b|50%/);
  });

  test('of one without failure shows its start and its end', () => {
    const shown = show(Array.from({ length: 900 }, (_, i) => `step ${i + 1} of the job went by`).join('\n'));
    expect(shown).toContain('step 1 of');
    expect(shown).toContain('step 900 of');
  });

  test('is bounded, deterministic and never throws, whatever the text', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        ...families.flatMap(([, lines]) => lines),
        '\u001b[',
        '-'.repeat(5_000),
        'error: '.repeat(2_000),
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 120 }), fc.integer({ min: 60, max: 900 }), (lines, tokens) => {
        const text = lines.join('\n');
        const made = previewLog(text, { ...room, tokens }, count)!;
        expect(made).toEqual(previewLog(text, { ...room, tokens }, count));
        expect(count(made.text)).toBeLessThanOrEqual(tokens);
      }),
      { numRuns: 300 },
    );
  });

  test('takes time in proportion to the log', () => {
    const hostile =
      `${'error: '.repeat(400)}\n`.repeat(400) + ' '.repeat(1_000_000) + '\n' + '\u001b[3'.repeat(200_000);
    const started = performance.now();
    show(hostile + chatter(60_000).join('\n'));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

test('an outline of a log is its error lines', () => {
  const text = [...chatter(50), 'src/a.c:1:1: error: boom', ...chatter(50)].join('\n');
  expect(logOutline(text)).toEqual([{ line: 51, depth: 0, label: 'src/a.c:1:1: error: boom' }]);
});

test.each([
  ['a build looks like a log', chatter(200).join('\n'), true],
  [
    'source code',
    'import a from "b";\n\nexport function error() {\n  throw new Error("no");\n}\n'.repeat(20),
    false,
  ],
  ['nor does prose', 'It was the best of times.\nIt was the worst of times.\n'.repeat(20), false],
])('%s', (_what, text, expected) => {
  expect(looksLikeLog(text)).toBe(expected);
});
