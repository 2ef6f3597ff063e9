import { expect, test } from 'vitest';
import { threadMsOf } from '../../../../test/thread-time.js';
import { weightOf } from './statements.js';

const unbroken = ['-', 'a', '/', '@', '.', 'to proceed '];

test.each(unbroken)('a sentence of "%s" again and again is weighed in linear time', (characters) => {
  const msOf = (length: number): number => {
    const sentence = characters.repeat(length / characters.length);
    return threadMsOf(() => weightOf(sentence));
  };
  // Ten times as long: a hundred times the work, where it grows with the square.
  expect(msOf(40_000)).toBeLessThan(50 + 30 * msOf(4_000));
});

test('a value counts once, wherever its digit or its slash stands', () => {
  const plain = weightOf('We looked at all of this and that here');
  const perValue = weightOf('We looked at all of this and that 7') - plain;
  for (const value of [
    'src/cart-total',
    'a.b/c',
    './x-1.2@3:4',
    'ab-12cd',
    'fooBar',
    'ABC',
    '`a b`',
    '"a b c"',
  ])
    expect(weightOf(`We looked at all of this and ${value} here`) - plain).toBeCloseTo(perValue);
});
