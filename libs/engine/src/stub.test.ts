import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  defaultPolicy,
  linesOf,
  loadCounter,
  formats,
  resultsOf,
  renderStub,
  shouldOffload,
  type CountTokens,
  type ResultPart,
} from './index.js';

let count: CountTokens;
beforeAll(async () => {
  count = await loadCounter('o200k');
});

const id = `out_${'0'.repeat(32)}`;
const stub = (text: string, outputs = defaultPolicy.outputs) =>
  renderStub(
    { id, text, bytes: Buffer.byteLength(text), lines: linesOf(text).length, tokens: 9_999 },
    outputs,
    count,
  );

describe('a stub', () => {
  test('shows the first and last lines and says how many are missing', () => {
    const text = Array.from({ length: 2_400 }, (_, i) => `line ${i + 1}`).join('\n');
    expect(stub(text)).toMatchInlineSnapshot(`
      "[Output out_00000000000000000000000000000000 is stored outside of the context: 2,400 lines, 22,892 bytes, about 9999 tokens.]
      --- first 5 lines ---
      line 1
      line 2
      line 3
      line 4
      line 5
      --- 2,390 lines not shown ---
      --- last 5 lines ---
      line 2396
      line 2397
      line 2398
      line 2399
      line 2400
      [Read more: read_output(id="out_00000000000000000000000000000000", lines="1-100") or grep_output(id="out_00000000000000000000000000000000", pattern="..."); over HTTP: GET /v1/outputs/out_00000000000000000000000000000000/content?lines=1-100 or /v1/outputs/out_00000000000000000000000000000000/grep?pattern=...]"
    `);
  });

  test('does not claim that lines are missing when none are', () => {
    expect(stub('one\ntwo\nthree')).not.toContain('not shown');
  });

  test('clips a line that would fill the preview, and says by how much', () => {
    const text = stub(`short\n${'x'.repeat(1_000_000)}\nend`);
    expect(text).toMatch(/more characters\]/);
    expect(count(text)).toBeLessThan(900);
  });

  test('is bounded, deterministic and never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 4_000 }), { maxLength: 40 }), (lines) => {
        const text = lines.join('\n');
        const made = stub(text);
        expect(made).toBe(stub(text));
        expect(count(made)).toBeLessThan(defaultPolicy.outputs.preview_tokens + 400);
      }),
      { numRuns: 60 },
    );
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
    ['not one without text', tool(''), 9_000, null, false],
    ['content parts as well', tool([{ type: 'text', text: 'x' }]), 9_000, null, true],
  ])('%s', (_what, message, tokens, called, expected) => {
    expect(shouldOffload(message, tokens, called, outputs)).toBe(expected);
  });

  test('goes by characters when Dawn’s threshold is set', () => {
    const dawn = { ...outputs, threshold_chars: 40_000 };
    expect(shouldOffload(tool('x'.repeat(40_001)), 1, null, dawn)).toBe(true);
    expect(shouldOffload(tool('x'.repeat(40_000)), 99_999, null, dawn)).toBe(false);
  });
});
