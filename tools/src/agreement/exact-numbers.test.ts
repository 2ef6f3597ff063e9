import { isExactNumber } from '@spillway/engine';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isExactNumber as isExactInFiles } from '../../../libs/cli/src/import/numbers/inexact-number.js';

const digits = fc.stringMatching(/^(0|[1-9]\d{0,24})$/);
const literals = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits,
    fc.option(fc.stringMatching(/^\.\d{1,20}$/), { nil: '' }),
    fc.option(fc.stringMatching(/^[eE][-+]?\d{1,4}$/), { nil: '' }),
  )
  .map((parts) => parts.join(''));

// The program `spillway` imports nothing of ours but the client: it repeats which numbers the engine takes.
test('spillway import takes the numbers that the engine takes', () => {
  const edges = ['9007199254740991', '9007199254740993', '-9007199254740994', '1e400', '1e-400', '0e-400'];
  const taken = new Set<boolean>();
  const compare = (literal: string) => {
    const isTaken = isExactNumber(literal);
    taken.add(isTaken);
    expect(isExactInFiles(literal), literal).toBe(isTaken);
  };
  edges.forEach(compare);
  fc.assert(fc.property(literals, compare), { numRuns: 2_000 });
  expect(taken.size).toBe(2);
});
