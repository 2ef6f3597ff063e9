import { expect, test } from 'vitest';
import { rulesOf, summarizes, type Spoken } from './rules.js';

const options = { window: 16_000, trigger: 12_800, count: (text: string) => text.length / 4 };

/** The turns, of 60 of two messages of 256 tokens, in which a system asks for a summary of 500 tokens. */
function turnsWithSummary(name: 'chronos' | 'dawn'): number[] {
  const rules = rulesOf(name, options);
  const all: Spoken[] = [];
  let [covered, summary] = [0, 0];
  return Array.from({ length: 60 }, (_, i) => i + 1).filter(() => {
    all.push({ role: 'user', tokens: 256 });
    const from = rules.loads === 'all' ? 0 : covered;
    const folded = summarizes(rules, summary, all.slice(from));
    if (folded > 0) [covered, summary] = [from + folded, 500];
    all.push({ role: 'assistant', tokens: 256 });
    return folded > 0;
  });
}

test('Chronos summarizes all again in each turn past its threshold', () => {
  expect(turnsWithSummary('chronos')).toEqual(Array.from({ length: 35 }, (_, i) => i + 26));
});

test('Dawn summarizes what its summary does not cover, once it is long again', () => {
  expect(turnsWithSummary('dawn')).toEqual([26, 45]);
});

test('the texts of Chronos count by their characters, with four tokens for each message', () => {
  expect(rulesOf('chronos', options).tokensOf('x'.repeat(1_024))).toBe(260);
});
