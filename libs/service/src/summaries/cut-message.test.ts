import { loadCounter, type SeqMessage } from '@spillway/engine';
import { expect, test } from 'vitest';
import { cutMessage } from './cut-message.js';

const count = await loadCounter('estimate');
const message = (parts: Partial<SeqMessage>): SeqMessage => ({
  ...{ seq: 1, at: null, role: 'assistant', name: null, text: '', speech: '', calls: [], results: [] },
  ...parts,
});
const tokensOf = ({ speech, calls, results }: SeqMessage): number =>
  [speech, ...calls.map(({ input }) => input), ...results.map(({ text }) => text)]
    .map(count)
    .reduce((sum, one) => sum + one, 0);
const long = (first: string, last: string) => `${first} ${'and so on '.repeat(2_000)}${last}`;

test('long texts share the room, short ones stay whole, and words say how much is missing', () => {
  const speech = long('Begin', 'end');
  const cut = cutMessage(
    message({
      speech,
      calls: [{ id: 'c1', name: 'write', input: '{"path":"a.ts"}' }],
      results: [{ id: 'c0', name: null, text: long('First', 'last'), isError: false }],
    }),
    400,
    count,
  );
  expect(tokensOf(cut)).toBeLessThanOrEqual(400);
  expect(tokensOf(cut)).toBeGreaterThan(300);
  expect(cut.calls[0]!.input).toBe('{"path":"a.ts"}');
  const [, head, missing, tail] =
    /^(Begin .*)\n\[\.\.\. about (\d+) tokens not shown \.\.\.\]\n(.*end)$/.exec(cut.speech)!;
  const all = count(head!) + Number(missing) + count(tail!);
  expect(Math.abs(all - count(speech))).toBeLessThan(20);
  expect(cut.results[0]!.text).toMatch(/^First .*\n.* tokens not shown .*\n.*last$/);
});

test('a message with room stays as it is', () => {
  const small = message({ speech: 'Go on.' });
  expect(cutMessage(small, 100, count)).toEqual(small);
});
