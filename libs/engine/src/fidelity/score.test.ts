import { describe, expect, test } from 'vitest';
import type { InstructionWithState } from '../instructions/instruction.js';
import { maxLost, recallOf, scoreFold, scoreOf, withBoundedLists } from './score.js';

const instruction = (seq: number, text: string): InstructionWithState => ({
  id: `${seq}-0`,
  seq,
  participant: null,
  text,
  kind: 'prohibition',
  source: 'found',
  decision: null,
  state: 'active',
  retiredBySeq: null,
  mayHold: false,
});
const fact = (value: string, seq: number) => ({ value, seq, label: '', uses: 3 });
const folded = {
  text: '- [2] user: Never push\n to main.\n- [4] src/a.ts:42; HAT271',
  beside: 'ORD-7741',
  instructions: [instruction(2, 'Never push to main.'), instruction(6, 'Answer in German.')],
  facts: [fact('src/a.ts:17', 4), fact('ORD-7741', 5), fact('JRB442', 8)],
};

describe('the fidelity of a fold', () => {
  test('counts instructions that stand verbatim in the summary, and facts that it or a message beside it says', () => {
    expect(scoreFold(folded)).toEqual({
      instructionsKept: 1,
      instructionsTotal: 2,
      factsKept: 2,
      factsTotal: 3,
      lost: { instructions: [folded.instructions[1]], facts: [fact('JRB442', 8)] },
    });
  });

  test('is the smaller of both shares, and whole when there was nothing to keep', () => {
    expect(scoreOf(scoreFold(folded))).toBe(0.5);
    expect(scoreOf(scoreFold({ ...folded, instructions: [], facts: [] }))).toBe(1);
  });

  test('a row holds bounded lists, and all counts', () => {
    const facts = Array.from({ length: maxLost + 10 }, (_, i) => fact(`LOST_${i}`, i + 1));
    const bounded = withBoundedLists(scoreFold({ ...folded, facts }));
    expect(bounded.factsTotal).toBe(maxLost + 10);
    expect(bounded.lost.facts).toHaveLength(maxLost);
    expect(bounded.lost.facts[0]).toEqual({ value: 'LOST_0', label: '', seq: 1 });
    expect(bounded.lost.instructions).toEqual([{ id: '6-0', seq: 6, text: 'Answer in German.' }]);
  });

  test('recall says how many needs the summary said, and which it did not', () => {
    const need = (value: string) => ({ value, seq: 3, usedSeq: 30, label: '' });
    expect(recallOf(folded.text, [need('HAT271'), need('JRB442')], 40)).toEqual({
      needs: 2,
      found: 1,
      throughSeq: 40,
      lost: [need('JRB442')],
    });
  });
});
