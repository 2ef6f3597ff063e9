import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { threadMsOf } from '../../../../../../test/thread-time.js';
import { loadCounter, type CountTokens } from '../../../tokens/counter.js';
import { actionsRun, chatter, travisRun } from '../../../../failure-samples/chatter.js';
import { failureSamples } from '../../../../failure-samples/samples.js';
import { readText } from '../lines/read-lines.js';
import { logOutline, previewLog } from './log.js';
import { looksLikeLog } from './looks-like-log.js';

// The same cases each time; SPILLWAY_SEED chooses others.
fc.configureGlobal({ seed: Number(process.env.SPILLWAY_SEED ?? 1) });

let count: CountTokens;
beforeAll(async () => {
  count = await loadCounter('o200k');
});
const room = { tokens: 600, headLines: 5, tailLines: 5 };
const preview = (text: string, tokens = room.tokens) =>
  previewLog({ kind: 'log', text, lines: readText(text).lines }, { ...room, tokens }, count)!;
const show = (text: string): string => preview(text).text;
const flat = (text: string): string => text.replace(/\s+/g, ' ');

describe('the lines that state the cause are shown, wherever they stand', () => {
  test.each(failureSamples.map((sample) => [sample.tool, sample] as const))(
    '%s',
    (tool, { output, cause }) => {
      const failure = output.split('\n');
      const noise = chatter(1_500);
      // A place of its own for each tool, the same in every run.
      const at = 20 + ((tool.length * 7_919 + output.length * 31) % 1_450);
      for (const run of [
        [...noise.slice(0, at), ...failure, ...noise.slice(at)],
        [...noise, ...failure],
        travisRun(noise.slice(0, at), failure),
        actionsRun(noise.slice(0, at), failure),
      ]) {
        const shown = show(run.join('\n'));
        for (const line of cause) expect(flat(shown)).toContain(flat(line.slice(0, 160)));
        expect(count(shown)).toBeLessThanOrEqual(room.tokens);
      }
    },
  );

  test('what comes just before the runner says that it failed is the reason, in whatever words', () => {
    const log = travisRun(chatter(900), ['$ ./check', 'The moon is in the wrong house.']);
    expect(show(log.join('\n'))).toContain('The moon is in the wrong house.');
  });

  test('what comes just before a failed command of several lines is the reason too', () => {
    const log = [
      ...chatter(300),
      'The moon is in the wrong house.',
      'The command "./check \\',
      '  --all" exited with 3.',
      ...chatter(300),
    ];
    expect(show(log.join('\n'))).toContain('The moon is in the wrong house.');
  });

  test('so is what comes before the failure of a step that goes on to something else before it ends', () => {
    const log = travisRun(chatter(600), [
      'src/pool.c:9:1: error: expected declaration',
      ...['travis_fold:start:logs', '$ ls -l', 'total 12', ...chatter(20), 'travis_fold:end:logs'],
    ]);
    expect(show(log.join('\n'))).toContain('src/pool.c:9:1: error');
  });

  test('a failure that the run survived comes after the one that it did not', () => {
    const log = [
      '$ ./setup',
      'curl: (22) The requested URL returned error: 404 Not Found',
      'The command "./setup" exited with 0.',
      ...chatter(500),
      '$ make check',
      'check.c:9:1: error: expected declaration',
      'The command "make check" exited with 2.',
    ].join('\n');
    const tight = preview(log, 60).text;
    expect(tight).toContain('check.c:9:1: error');
    expect(tight).not.toContain('curl');
  });
});

describe('a preview of a log', () => {
  test('says exactly which lines are not shown', () => {
    const lines = [...chatter(300), 'E   AssertionError: no', ...chatter(300)];
    let next = 0;
    for (const line of show(lines.join('\n')).split('\n')) {
      const gap = /^--- lines? (\d+)(?:-(\d+))? not shown/.exec(line);
      if (gap) expect(Number(gap[1])).toBe(next + 1);
      else expect(line).toBe(lines[next]);
      next = gap ? Number(gap[2] ?? gap[1]) : next + 1;
    }
    expect(next).toBe(601);
  });

  test('shows the first of many errors of one kind and counts the rest', () => {
    const errors = Array.from({ length: 90 }, (_, i) => `src/a${i}.ts(${i},3): error TS2322: Not a 'B${i}'.`);
    const shown = show([...chatter(200), ...errors, ...chatter(200)].join('\n'));
    expect(shown).toContain(errors[0]);
    const alike = Number(/(\d+) of them like those above/.exec(shown)?.[1]);
    const listed = errors.filter((error) => shown.includes(error)).length;
    expect(alike).toBe(90 - listed);
  });

  test('is not led astray by what every line of it says', () => {
    const lines = Array.from({ length: 2_000 }, (_, i) => `worker.rb:${i}: did not find part ${i}, made it`);
    lines[1_200] = 'ERROR disk full';
    const shown = show(lines.join('\n'));
    expect(shown).toContain('ERROR disk full');
    expect(shown).toMatch(/^--- lines 4-11\d\d not shown/m);
  });

  test.each([20, 60, 300, 3_000])(
    'of %i lines that all fail alike shows the first and the last of them',
    (many) => {
      for (const line of [
        'ERROR tick failed',
        'npm ERR! code ELIFECYCLE',
        'FATAL: out of memory',
        'Error:',
      ]) {
        const lines = Array.from({ length: many }, (_, i) => `${line} ${i}`);
        const shown = show(lines.join('\n')).split('\n');
        for (const line of [...lines.slice(0, 5), ...lines.slice(-5)]) expect(shown).toContain(line);
      }
    },
  );

  test('has no escape sequences and only the last state of a progress line', () => {
    const text = show(`\u001b[32mok\u001b[0m\n10%\r50%\r\u001b[31merror: boom\u001b[0m\nend`);
    expect(text).toContain('error: boom');
    expect(text).not.toMatch(/\u001b|50%/);
  });

  test('gives up times when causes do not fit beside them, and says so', () => {
    // Each in other words, so that none is like another.
    const wrong = 'cart dial fold pool tax token parse cache route queue flush merge index'.split(' ');
    const errors = wrong.map((name) => `lib/${name}.c:9:1: error: ${name} in ${name} without ${name}`);
    const showIn = (tokens: number, failure: readonly string[]): string =>
      preview(actionsRun(chatter(200), failure).join('\n'), tokens).text;
    const shown = showIn(420, errors);
    expect(shown).toContain('--- times and names at the start of lines not shown ---');
    for (const error of errors) expect(shown.split('\n')).toContain(error);
    expect(count(shown)).toBeLessThanOrEqual(420);
    expect(showIn(420, errors.slice(0, 1))).toMatch(/^2024-02-01T10:\S+Z lib\/cart\.c:9:1: error/m);
  });

  test('of a long line shows its start and where it speaks of a failure', () => {
    const line = `bundle ${'x'.repeat(500)} error: quota of 12 kB exceeded by 4 ${'y'.repeat(900)}`;
    const shown = show([...chatter(50), line, ...chatter(50)].join('\n'));
    expect(shown).toContain('bundle xxx');
    expect(shown).toContain('error: quota of 12 kB exceeded by 4');
    const cuts = [...shown.matchAll(/\[\.\.\. (\d+) more characters\]/g)].map((cut) => Number(cut[1]));
    const kept = shown.split('\n').find((line) => line.startsWith('bundle'))!;
    const marks = kept.match(/ \[\.\.\. \d+ more characters\] ?/g)!.join('').length;
    expect(kept.length - marks + cuts[0]! + cuts[1]!).toBe(line.length);
  });

  test('of a line that is cut does not spend its room on what stands before the words', () => {
    const before = (i: number): string =>
      `[pod/mailer-7d9c6b5f4-x2x9z/app] Oct 14 07:03:${10 + (i % 50)} mail01 postfix/smtp[${2000 + i}]: `;
    const lines = Array.from({ length: 300 }, (_, i) => `${before(i)}status=sent (250 OK)`);
    const reason = `to=<invoices@customer.example>, relay=mx1.customer.example[203.0.113.9]:25, delays=0.1/0/3/1, dsn=5.7.26, status=bounced (550 5.7.26 mail without a signature is not accepted by the policy of the domain of the recipient)`;
    lines.splice(120, 0, before(3) + reason);
    expect(show(lines.join('\n'))).toContain(`[...] ${reason.slice(0, 160)}`);
  });

  test('of one without failure shows its start, its end and its totals', () => {
    const lines = Array.from({ length: 900 }, (_, i) => `step ${i + 1} of the job went by`);
    lines[700] = 'Tests: 142 passed';
    const shown = show(lines.join('\n'));
    for (const line of ['step 1 of', 'step 900 of', '142 passed']) expect(shown).toContain(line);
  });

  test('is bounded, deterministic and never throws, whatever the text', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        ...failureSamples.flatMap(({ output }) => output.split('\n')),
        '\u001b[',
        '-'.repeat(5_000),
        'error: '.repeat(2_000),
        '2024-02-01T10:00:00.1234567Z ',
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 120 }), fc.integer({ min: 60, max: 900 }), (lines, tokens) => {
        const text = lines.join('\n');
        const made = preview(text, tokens);
        expect(made).toEqual(preview(text, tokens));
        expect(count(made.text)).toBeLessThanOrEqual(tokens);
      }),
      { numRuns: 200 },
    );
  });

  test('takes time in proportion to the log', () => {
    const hostile =
      `${'error: '.repeat(400)}\n`.repeat(400) + ' '.repeat(1_000_000) + '\n' + '\u001b[3'.repeat(200_000);
    expect(threadMsOf(() => show(hostile + chatter(60_000).join('\n')))).toBeLessThan(5_000);
  });

  test.each(['error ', 'expected ', "'", '"', '(1,', 'a:1:', '/a.b', '- ', '\t', 'exited with '])(
    'takes no longer for lines full of %j',
    (piece) => {
      const text = `${piece.repeat(100)}\n`.repeat(3_000);
      expect(threadMsOf(() => show(text))).toBeLessThan(3_000);
    },
  );
});

test('an outline of a log is its error lines', () => {
  const text = [...chatter(50), 'src/a.c:1:1: error: boom', ...chatter(50)].join('\n');
  expect(logOutline(readText(text).lines)).toEqual([
    { line: 51, depth: 0, label: 'src/a.c:1:1: error: boom' },
  ]);
});

test.each([
  ['a build looks like a log', chatter(200).join('\n'), true],
  [
    'source code does not',
    'import a from "b";\n\nexport function error() {\n  throw new Error("no");\n}\n'.repeat(20),
    false,
  ],
  ['nor does prose', 'It was the best of times.\nIt was the worst of times.\n'.repeat(20), false],
])('%s', (_what, text, expected) => {
  expect(looksLikeLog(readText(text).lines.bare)).toBe(expected);
});
