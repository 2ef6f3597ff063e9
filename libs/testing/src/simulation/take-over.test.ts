import { expect, test } from 'vitest';
import { Chance } from './chance.js';
import { Clock } from './clock.js';
import { takeOver } from './take-over.js';

test('a timer fires when the simulation has moved its clock that far, and only then', () => {
  const clock = new Clock();
  const fired: string[] = [];
  const giveBack = takeOver(clock, new Chance(1n));
  try {
    setTimeout(() => fired.push('once'), 1_000);
    const cancelled = setTimeout(() => fired.push('cancelled'), 1_000);
    const repeated = setInterval(() => fired.push('again'), 1_000);
    clearTimeout(cancelled);
    clock.advance(999, () => true);
    expect(fired).toEqual([]);
    clock.advance(1, () => true);
    expect(fired).toEqual(['once', 'again']);
    clock.advance(1_000, () => true);
    expect(fired).toEqual(['once', 'again', 'again']);
    clearInterval(repeated);
  } finally {
    giveBack();
  }
});
