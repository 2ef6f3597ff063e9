import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  defaultPolicy,
  linesOf,
  loadCounter,
  previewOf,
  formats,
  resultsOf,
  readerToolNames,
  renderStub,
  shouldOffload,
  type CountTokens,
  type ResultPart,
} from '../index.js';

let count: CountTokens;
beforeAll(async () => {
  count = await loadCounter('o200k');
});

const id = `out_${'0'.repeat(32)}`;
const room = { tokens: 600, headLines: 5, tailLines: 5 };
const stub = (text: string) =>
  renderStub(
    { id, bytes: Buffer.byteLength(text), lines: linesOf(text).length, tokens: 9_999 },
    previewOf(text, room, count),
  );

describe('a stub', () => {
  test('says how large the output is, what of it matters, what is missing and how to read it', () => {
    const text = Array.from({ length: 2_400 }, (_, i) => `part ${i + 1} of the tale`).join('\n');
    expect(stub(text)).toMatchInlineSnapshot(`
      "[Output out_00000000000000000000000000000000 (text) is stored outside of the context: 2,400 lines, 51,692 bytes, about 9999 tokens. What of it matters most:]
      part 1 of the tale
      part 2 of the tale
      part 3 of the tale
      part 4 of the tale
      part 5 of the tale
      --- 2,390 lines not shown ---
      part 2396 of the tale
      part 2397 of the tale
      part 2398 of the tale
      part 2399 of the tale
      part 2400 of the tale
      [More: read_output(id="out_00000000000000000000000000000000", lines="1-100") or grep_output]"
    `);
  });

  test('ends with the shortest call that reads on, in less than 60 tokens whatever its id', () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `row ${i}`).join('\n');
    const json = JSON.stringify(Array.from({ length: 2_000 }, (_, i) => ({ id: i, name: `user${i}` })));
    for (const [text, part] of [
      [rows, 'lines="10001-10100"'],
      [json, 'path="$[0]"'],
    ] as const) {
      const preview = previewOf(text, room, count);
      if (text === rows) preview.readNext = { from: 10_001, to: 10_100 };
      for (let i = 0; i < 300; i++) {
        const id = `out_${createHash('md5').update(`${i}`).digest('hex')}`;
        const size = { id, bytes: text.length, lines: text.split('\n').length, tokens: 1 };
        const footer = renderStub(size, preview).split('\n').at(-1)!;
        expect(footer).toContain(`read_output(id="${id}", ${part})`);
        expect(count(footer)).toBeLessThan(60);
        expect(footer).not.toContain('/v1/');
      }
    }
  });

  test.each([
    [{ data: [1, 2], next: null }, '$.data[0]'],
    [{ 'content-type': 'a' }, "$['content-type']"],
    [{}, '$'],
    [[[1]], '$[0]'],
  ])('names a part of JSON that is there: %j', (value, path) => {
    expect(stub(JSON.stringify(value))).toContain(`path="${path}") or`);
  });

  test('names the tools as the policy does', () => {
    const names = readerToolNames({ read_output: 'fetch_result', grep_output: 'find_in_result' });
    const preview = previewOf('one\ntwo', room, count);
    const text = renderStub({ id, bytes: 7, lines: 2, tokens: 9 }, preview, names);
    expect(text).toContain(`[More: fetch_result(id="${id}", lines="1-2") or find_in_result]`);
  });

  test('does not claim that lines are missing when none are', () => {
    expect(stub('one\ntwo\nthree')).not.toContain('not shown');
  });

  test('clips a line that would fill the preview, and says by how much', () => {
    const text = stub(`short\n${'x'.repeat(1_000_000)}\nend`);
    expect(text).toMatch(/more characters\]/);
    expect(count(text)).toBeLessThan(900);
  });

  test('offers the lines that its preview knows to be worth reading next', () => {
    const text = [...Array.from({ length: 500 }, (_, i) => `ok ${i}`), 'not ok 500 - parses dates'].join(
      '\n',
    );
    const [, from, to] = /lines="(\d+)-(\d+)"/.exec(stub(text))!;
    expect(Number(from)).toBeGreaterThan(400);
    expect(Number(to)).toBe(501);
  });
});

describe('what is offloaded', () => {
  const tool = (content: unknown, name?: string): ResultPart =>
    resultsOf(
      formats.openai.read({ role: 'tool', tool_call_id: 'c', content, ...(name ? { name } : {}) }),
    )[0]!;
  const outputs = defaultPolicy.outputs;

  test.each([
    ['a result over the limit', tool('x'), 3_001, null, true],
    ['not one at the limit', tool('x'), 3_000, null, false],
    ['not that of an exempt tool', tool('x', 'read_file'), 9_000, null, false],
    ['nor one whose call names an exempt tool', tool('x'), 9_000, 'grep_output', false],
    ['not that of a tool that reads outputs', tool('x', 'outline_output'), 9_000, null, false],
    ['not one without text', tool(''), 9_000, null, false],
    ['content parts as well', tool([{ type: 'text', text: 'x' }]), 9_000, null, true],
  ])('%s', (_what, message, tokens, called, expected) => {
    expect(shouldOffload(message, { tokens, toolName: called, policy: outputs, contextLimit: 120_000 })).toBe(
      expected,
    );
  });

  test.each([
    ['four times the threshold', 120_000, 3_000, 12_000],
    ['a quarter of the context limit', 20_000, 3_000, 5_000],
    ['the threshold in a small window', 4_000, 3_000, 3_000],
  ])('the result of a reading tool stays up to %s, and no larger one', (_what, limit, threshold, bound) => {
    const policy = { ...outputs, threshold_tokens: threshold };
    const result = tool('x', 'read_file');
    const rules = (tokens: number) => ({ tokens, toolName: null, policy, contextLimit: limit });
    expect(shouldOffload(result, rules(bound))).toBe(false);
    expect(shouldOffload(result, rules(bound + 1))).toBe(true);
  });

  test('goes by characters when Dawn’s threshold is set', () => {
    const policy = { ...outputs, threshold_chars: 40_000 };
    const dawn = { toolName: null, policy, contextLimit: 120_000 };
    expect(shouldOffload(tool('x'.repeat(40_001)), { ...dawn, tokens: 1 })).toBe(true);
    expect(shouldOffload(tool('x'.repeat(40_000)), { ...dawn, tokens: 99_999 })).toBe(false);
  });
});
