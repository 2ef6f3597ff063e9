import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readMessage } from '../formats/formats.js';
import { userMessage } from '../messages/message.js';
import { seqMessage, type SeqMessage } from '../messages/seq-message.js';
import { labelledValuesIn } from './labelled-values.js';
import { parseLedger, renderLedger } from './ledger-text.js';
import { Ledger } from './ledger.js';
import { threadMs } from '../../../../test/thread-time.js';

const countWords = (text: string): number => Math.ceil(text.length / 4);
const userSays = (seq: number, text: string): SeqMessage => seqMessage(seq, userMessage(text));
const called = (seq: number, name: string, args: object): SeqMessage => ({
  ...userSays(seq, ''),
  role: 'assistant',
  calls: [{ id: `c${seq}`, name, input: JSON.stringify(args) }],
});
const printed = (seq: number, text: string): SeqMessage => ({
  ...userSays(seq, text),
  speech: '',
  role: 'tool',
  results: [{ id: `c${seq - 1}`, name: 't', text, isError: false }],
});
const ledgerOf = (messages: readonly SeqMessage[], room = 1_000): string => {
  const ledger = new Ledger();
  ledger.add(messages);
  return ledger.render(room, countWords);
};

describe('a value that took the place of another', () => {
  const start = userSays(1, 'The server listens on 8080. See config/dev.yaml.');

  test.each([
    ['says so in words', userSays(4, 'Please change the port from 8080 to 9090.')],
    ['stands after an arrow', userSays(4, 'I changed the port: 8080 -> 9090')],
    ['is to be used instead', userSays(4, 'Use 9090 instead of 8080, please.')],
    ['replaces it', userSays(4, 'Replace `8080` with `9090`.')],
    ['is what it is now', userSays(4, 'Oh, 8080 is now 9090.')],
    ['names it in brackets', userSays(4, 'The port is 9090 (was 8080).')],
    ['follows a sentence with a ban', userSays(4, "Don't ask. Change the port from 8080 to 9090.")],
    ['follows a question', userSays(4, 'Why does it fail? Please replace 8080 with 9090.')],
    ['follows a line with a ban', userSays(4, '- never restart\n- use 9090 instead of 8080')],
    ['comes before a question', userSays(4, 'I changed the port from 8080 to 9090. Can you restart it?')],
    ['comes after what is not so', userSays(4, "8080 isn't free, so change the port from 8080 to 9090.")],
    ['comes after what not to do', userSays(4, 'Do not restart, but change the port from 8080 to 9090.')],
    ['comes before a ban', userSays(4, 'Change the port from 8080 to 9090 but do not restart.')],
    ['is put in by an edit', called(4, 'edit', { old_string: 'port: 8080', new_string: 'port: 9090' })],
  ])('%s: both seqs stand beside the newer one', (_what, message) => {
    const ledger = ledgerOf([start, message]);
    expect(ledger).toContain('9090 (was 8080 [1])');
    expect(parseLedger(ledger).map(({ value }) => value)).not.toContain('8080');
    expect(parseLedger(ledger)).toContainEqual(
      expect.objectContaining({ value: '9090', seq: 4, was: { value: '8080', seq: 1 } }),
    );
    expect(renderLedger(parseLedger(ledger))).toBe(ledger);
  });

  test.each([
    ['a range is none', userSays(4, 'Ports from 8080 to 9090 are open.')],
    ['a step is none', userSays(4, 'The call goes 8080 -> 9090.')],
    ['what is forbidden is none', userSays(4, 'Do not move the API from 8080 to 9090.')],
    ['what must never be is none', userSays(4, 'Never replace 8080 with 9090. It would break clients.')],
    ['what somebody must not do is none', userSays(4, 'You mustn’t use 9090 instead of 8080!')],
    ['what was not done is none', userSays(4, "I didn't change the port: 8080 -> 9090")],
    ['what to do without is none', userSays(4, 'Fix it without changing the port from 8080 to 9090.')],
    ['what to avoid is none', userSays(4, 'Avoid replacing 8080 by 9090.')],
    ['what is asked is none', userSays(4, 'Is it so that 8080 is now 9090?\nI see no change.')],
    ['what is asked for is not done yet', userSays(4, 'Could you change the port from 8080 to 9090?')],
    ['what could be is none', userSays(4, 'We could change the port from 8080 to 9090 (or keep it).')],
    [
      'what holds under a condition is none',
      userSays(4, 'If that fails, change the port from 8080 to 9090.'),
    ],
    ['what is asked in brackets is none', userSays(4, 'The port is 9090 (was 8080)?')],
    ['what a tool prints is none', printed(4, 'changed the port from 8080 to 9090')],
    [
      'an edit of several values is none',
      called(4, 'edit', { old_string: '8080 and 8081', new_string: '9090 and 9091' }),
    ],
  ])('%s', (_what, message) => {
    const values = parseLedger(ledgerOf([start, message])).map(({ value }) => value);
    expect(values).toContain('8080');
    expect(parseLedger(ledgerOf([start, message])).some(({ was }) => was !== undefined)).toBe(false);
  });

  test('keeps its place in the next fold, although an older line still says the one before', () => {
    const facts = ledgerOf([start, userSays(4, 'Change it from 8080 to 9090.')]);
    const next = new Ledger({ current_state: '- [1] The server listens on 8080.', facts });
    next.add([userSays(9, 'Thank you.')]);
    const shown = next.render(1_000, countWords);
    expect(shown).toContain('9090 (was 8080 [1])');
    expect(parseLedger(shown).map(({ value }) => value)).not.toContain('8080');
  });

  test('goes back when it is changed back', () => {
    const back = ledgerOf([
      start,
      userSays(4, 'Change it from 8080 to 9090.'),
      userSays(6, 'Use 8080 instead of 9090.'),
    ]);
    expect(parseLedger(back)).toContainEqual(
      expect.objectContaining({ value: '8080', seq: 6, was: { value: '9090', seq: 4 } }),
    );
    expect(parseLedger(back).map(({ value }) => value)).not.toContain('9090');
  });

  test('is searched for in linear time', () => {
    const long = `${'change '.repeat(6_000)}${'x'.repeat(48_000)}`;
    const before = threadMs();
    ledgerOf([userSays(1, long), userSays(2, 'from '.repeat(9_000))]);
    expect(threadMs() - before).toBeLessThan(300);
  });
});

describe('what is in a ledger', () => {
  test('values with their labels and seqs, what was used apart from what was only seen', () => {
    const messages = [
      userSays(1, 'Cancel HSR97W for mia_li_3668.'),
      called(2, 'get_user', { user_id: 'mia_li_3668' }),
      printed(
        3,
        '{"email":"m.li@example.com","reservations":["HSR97W","MFRB94"],"address":{"address1":"9 Elm St"}}',
      ),
      called(4, 'edit_file', { path: 'src/app/main.ts', from: 2_150 }),
    ];
    expect(ledgerOf(messages)).toBe(
      '- [2,3,4] user_id: mia_li_3668 | reservations: HSR97W; seen reservations: MFRB94; seen email: m.li@example.com | from: 2150; edit_file: src/app/main.ts',
    );
  });

  test('a path that was only read has no label', () => {
    expect(ledgerOf([called(4, 'read_file', { path: 'src/app/main.ts' })])).toBe('- [4] src/app/main.ts');
  });

  test.each([
    ['a key of JSON', '{"address1":"x","address2":"y"}'],
    ['a key of JSON that was cut', '{"address1": {"line22": "'],
    ['a part of a time', 'at 2024-05-05T05:30 or 05T05'],
    ['an ordinal or an amount', 'the 21st of 100kb'],
    ['the id of a call', 'call_To6jjkKrBKVnDV0OhCSBvoMz'],
  ])('%s is none', (_what, text) => {
    expect(labelledValuesIn(printed(2, text))).toEqual([]);
  });

  test('of a file that was named with its line, the line', () => {
    expect(ledgerOf([printed(2, 'libs/a.ts:42:17 - error\nlibs/b.ts: fine')])).toBe(
      '- [2] seen libs/b.ts, libs/a.ts:42:17',
    );
  });

  test.each([
    ['a code of letters and digits', 'Fix REL-33 and FF-100543.', ['REL-33', 'FF-100543']],
    ['a name whose digit stands after a hyphen', 'use gpt-4o-mini here', ['gpt-4o-mini']],
    ['a path through folders in brackets', 'see app/(shop)/[id]/page.tsx', ['app/(shop)/[id]/page.tsx']],
    ['the file of a diff', 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts', ['src/a.ts']],
    ['a package with its scope and version', 'on @nestjs/core@12.5.1 now', ['@nestjs/core@12.5.1']],
    ['a folder that is named a', 'in a/src/b.ts', ['a/src/b.ts']],
  ])('%s is one value', (_what, text, values) => {
    expect(labelledValuesIn(userSays(1, text)).map(({ value }) => value)).toEqual(values);
  });

  test.each([
    ['NUL', 'https://example.com/a\0b'],
    ['a lone surrogate', 'https://example.com/a\ud800b'],
    ['a pair of surrogates at its largest length', `https://example.com/${'a'.repeat(187)}😀😀😀`],
    ['the same, one further', `https://example.com/${'a'.repeat(188)}😀😀😀`],
  ])('an address with %s is a value that Postgres can store', (_what, text) => {
    const values = labelledValuesIn(userSays(1, `See ${text} please.`)).map(({ value }) => value);
    expect(values).toContainEqual(expect.stringContaining('https://example.com/a'));
    for (const value of values) {
      expect(text).toContain(value);
      expect(value.isWellFormed() && !value.includes('\0'), JSON.stringify(value)).toBe(true);
    }
  });

  test.each(['-f1-2', 'in UTF-16 and ISO-8601', 'COVID-19', 'SHA-256'])('%s names nothing', (text) => {
    expect(labelledValuesIn(userSays(1, text))).toEqual([]);
  });

  test('of what a tool printed, an address comes before a path and a relative path last', () => {
    const messages = [
      printed(2, 'on http://127.0.0.1:4000/api'),
      printed(4, "from './api.js'"),
      printed(6, 'src/x.ts'),
    ];
    expect([8, 11, 16].map((room) => ledgerOf(messages, room))).toEqual([
      '- [6] seen src/x.ts',
      '- [2] seen http://127.0.0.1:4000/api',
      '- [2,6] seen http://127.0.0.1:4000/api | seen src/x.ts',
    ]);
  });

  test('a path stands for those that it ends with', () => {
    const messages = [
      userSays(1, 'See core/session.ts and src/core/session.ts.'),
      userSays(2, 'Edit /repo/src/core/session.ts.'),
    ];
    expect(ledgerOf(messages)).toBe('- [2] /repo/src/core/session.ts x12');
  });

  test('what was used much comes before what was listed, and says so', () => {
    const messages = Array.from({ length: 6 }, (_, i) => called(2 * i + 1, 'read', { path: 'src/often.ts' }));
    const listing = printed(20, Array.from({ length: 300 }, (_, i) => `src/listed${i}.ts`).join('\n'));
    expect(ledgerOf([...messages, listing], 40)).toMatch(
      /^- \[11,20\] src\/often\.ts x1\d \| seen src\/listed0\.ts/,
    );
  });
});

test('where a tool reads in a file is no value, and a number under another key is one', () => {
  const read = {
    path: 'src/core.ts',
    offset: 1020,
    limit: 2000,
    view_range: [1180, 1260],
    timeout_ms: 90000,
  };
  expect(ledgerOf([called(1, 'read', read)])).toBe('- [1] src/core.ts');
  expect(ledgerOf([called(1, 'pay', { amount: 1020 })])).toBe('- [1] amount: 1020');
});

describe('a whole number that JavaScript would round is a value as it was written', () => {
  const calledWith = (seq: number, input: string): SeqMessage => ({
    ...called(seq, 'get', {}),
    calls: [{ id: `c${seq}`, name: 'get', input }],
  });

  test.each([
    ['the id in a result', printed(2, '{"order_id": 72057594037927111}'), 'seen order_id: 72057594037927111'],
    [
      'an id in a list of a result',
      printed(2, '{"ids":[7,-9007199254740993]}'),
      'seen ids: -9007199254740993',
    ],
    ['an id in JSON lines', printed(2, '{"id":72057594037927111}\n{"ok":1}'), 'seen id: 72057594037927111'],
    [
      'an id passed to a tool',
      calledWith(2, '{"order_id": 72057594037927111}'),
      'order_id: 72057594037927111',
    ],
    [
      'a number passed to a tool',
      calledWith(2, '{"order": 18446744073709551615}'),
      'order: 18446744073709551615',
    ],
    ['a number that somebody typed', userSays(2, 'Refund 72057594037927111.'), '72057594037927111'],
  ])('%s', (_what, message, fact) => {
    expect(ledgerOf([message])).toBe(`- [2] ${fact}`);
  });

  test('but in what a tool prints, only under the key of an id', () => {
    expect(labelledValuesIn(printed(2, '{"nanoseconds": 1764422830123456789}'))).toEqual([]);
  });
});

test('a value of a closed task comes after those of the open one, however much it was used', () => {
  const ledger = new Ledger();
  ledger.add([
    userSays(1, 'Cancel HSR97W, please. HSR97W it is.'),
    called(2, 'cancel', { reservation: 'HSR97W' }),
    printed(3, 'Cancelled.'),
    userSays(4, 'Hello, this is somebody else.'),
    printed(6, '{"reservation":"MFRB94"}'),
  ]);
  expect(ledger.render(8, countWords)).toBe('- [2] reservation: HSR97W');
  expect(ledger.render(8, countWords, { openFrom: 4 })).toBe('- [6] seen reservation: MFRB94');
});

test('a path whose file name many folders have comes after others that were used as much', () => {
  const folders = Array.from({ length: 6 }, (_, i) =>
    called(i + 1, 'read', { path: `lib${i}/package.json` }),
  );
  const one = called(1, 'read', { path: 'lib9/run-all-of-it.ts' });
  expect(ledgerOf([one, ...folders.slice(0, 5)], 10)).toBe('- [5] lib4/package.json');
  expect(ledgerOf([one, ...folders], 10)).toBe('- [1] lib9/run-all-of-it.ts');
});

test('a path that was used stays before listed ones, however many of them share its file name', () => {
  const listing = printed(
    2,
    Array.from({ length: 6 }, (_, i) => `lib${i}/models.py`).join('\n') + '\nlib/run.ts',
  );
  expect(ledgerOf([called(1, 'edit', { path: 'app/models.py' }), listing], 9)).toBe(
    '- [1] edit: app/models.py',
  );
});

test('the room is filled with whole values to the last of its tokens', () => {
  const messages = Array.from({ length: 40 }, (_, i) => called(i + 1, 'get', { user_id: `user_${i}000` }));
  const all = parseLedger(ledgerOf(messages));
  for (const room of [20, 50, 90, 150]) {
    const kept = ledgerOf(messages, room);
    const next = all.filter((one) => !kept.includes(one.value)).at(-1)!;
    expect(countWords(kept)).toBeLessThanOrEqual(room);
    expect(countWords(renderLedger([...parseLedger(kept), next]))).toBeGreaterThan(room);
  }
});

test('a list of an earlier version is read', () => {
  const prior = { context_to_preserve: 'Identifiers in use (last seq): HAT271 (1); mia_li_3668 (5)' };
  expect(new Ledger(prior).render(100, countWords)).toBe('- [1,5] HAT271 | mia_li_3668');
});

test('values that are said elsewhere are left out, and are found there at the next fold', () => {
  const ledger = new Ledger();
  ledger.add([userSays(1, 'Book HAT271 for mia_li_3668.')]);
  const facts = ledger.render(100, countWords, { isSaid: (value) => value === 'HAT271' });
  expect(facts).toBe('- [1] mia_li_3668');
  const next = new Ledger({ current_state: '- [1] Booked HAT271.', facts });
  expect(next.render(100, countWords)).toBe('- [1] HAT271, mia_li_3668');
});

test('the seqs that an earlier summary writes into its lines are no values', () => {
  const prior = {
    next_steps: '- [1206] message 1206 asks for what is not answered yet',
    important_discoveries: '- [1300] bash: FAILED src/a.ts (passed at 1400 after wrote src/b.ts [1350])',
  };
  const values = parseLedger(new Ledger(prior).render(100, countWords)).map(({ value }) => value);
  expect(values).toEqual(['src/a.ts', 'src/b.ts']);
});

const samples = new URL('../../../../samples/', import.meta.url);
const threads = readdirSync(samples)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) =>
    readFileSync(new URL(name, samples), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line, i) =>
        seqMessage(
          i + 1,
          readMessage({ format: 'openai', body: JSON.parse(line) as Record<string, unknown> }),
        ),
      ),
  );

const saysLetterByLetter = (message: SeqMessage, value: string): boolean =>
  [message.text, ...message.calls.map(({ input }) => input)].some((text) => text.includes(value));

test('over 20 folds of real threads: within the room, each value in the message that is cited, the same twice', () => {
  for (const messages of threads) {
    const step = Math.ceil(messages.length / 20);
    const run = (): string[] => {
      const texts: string[] = [];
      for (let i = 0; i < messages.length; i += step) {
        const ledger = new Ledger({ facts: texts.at(-1) ?? '' });
        ledger.add(messages.slice(i, i + step));
        texts.push(ledger.render(300, countWords));
      }
      return texts;
    };
    const texts = run();
    for (const text of texts) {
      expect(countWords(text)).toBeLessThanOrEqual(300);
      for (const { value, seq } of parseLedger(text))
        expect(saysLetterByLetter(messages[seq - 1]!, value), `${seq} ${value}`).toBe(true);
    }
    expect(run()).toEqual(texts);
  }
});

test('any text: within the room, nothing invented, and read back as it was written', () => {
  const piece = fc.constantFrom(
    'a/b1.ts',
    ' ',
    '\n',
    'X9',
    ', ',
    '; ',
    ' | ',
    'seen ',
    'id: ',
    '- [3] ',
    '"',
    ':42',
    'x12',
    '1234',
    '../',
    '{"k":"',
  );
  const text = fc
    .array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 60 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 120 }),
      (texts, room) => {
        const messages = texts.map((one, i) => (i % 2 ? printed(i + 1, one) : userSays(i + 1, one)));
        const rendered = ledgerOf(messages, room);
        expect(countWords(rendered)).toBeLessThanOrEqual(room);
        const entries = parseLedger(rendered);
        for (const { value, seq } of entries)
          expect(saysLetterByLetter(messages[seq - 1]!, value)).toBe(true);
        expect(renderLedger(entries)).toBe(rendered);
      },
    ),
    { numRuns: 300 },
  );
});

test('a million identifiers and one huge line are read in linear time', { timeout: 120_000 }, () => {
  const ids = (n: number): string => Array.from({ length: n }, (_, i) => `file${i}.ts`).join(' ');
  const time = (text: string): number => {
    const started = threadMs();
    ledgerOf([userSays(1, text), printed(2, text), called(3, 'write', { content: text })]);
    return threadMs() - started;
  };
  time(ids(1_000));
  for (const text of [
    ids(1_000_000),
    'a/'.repeat(1_000_000),
    '1,111'.repeat(400_000),
    `{"a":"${'x1 '.repeat(300_000)}"}`,
  ])
    expect(time(text)).toBeLessThan(10_000);
  const prior = Array.from({ length: 1_000_000 }, (_, i) => `- [${i + 1}] file${i}.ts`).join('\n');
  expect(new Ledger({ facts: prior }).render(30, countWords)).toContain('- [');
});

test('of a summary with more facts than a ledger holds the newest are read', () => {
  const facts = Array.from({ length: 30_000 }, (_, i) => `- [${i + 1}] file${i}.ts`).join('\n');
  const used = new Ledger({ facts }).used();
  expect(used).toHaveLength(20_000);
  expect(Math.min(...used.map(({ seq }) => seq))).toBe(10_001);
});
