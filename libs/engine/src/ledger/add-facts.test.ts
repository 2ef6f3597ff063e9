import { describe, expect, test } from 'vitest';
import { addFacts } from './add-facts.js';
import { parseLedger, type LedgerEntry } from './ledger-text.js';

const count = (text: string): number => Math.ceil(text.length / 4);
const entry = (value: string, seq: number, uses = 3, label = ''): LedgerEntry => ({
  value,
  seq,
  uses,
  label,
});
const fields = { task_overview: 'Refund ORD-1.', facts: '- [4,9] user: mia_3668; HAT271 | seen id: JRB442' };
const valuesOf = (facts: string | undefined): string[] => parseLedger(facts ?? '').map(({ value }) => value);

describe('facts that are added to a summary', () => {
  test('stand among the others in the order of the thread, with their seqs and labels', () => {
    const added = addFacts(fields, [entry('WP1499', 7, 3, 'gate')], { room: 100, count, prefer: 'added' });
    expect(added.facts).toBe('- [4,7,9] user: mia_3668; HAT271 | gate: WP1499 | seen id: JRB442');
    expect(added.task_overview).toBe(fields.task_overview);
  });

  test('change nothing when the summary says them', () => {
    const same = addFacts(fields, [entry('HAT271', 8), entry('ORD-1', 1)], {
      room: 100,
      count,
      prefer: 'added',
    });
    expect(same).toBe(fields);
  });

  test('take at most half of a full slot, the first ones first, and what a tool only listed goes', () => {
    const many = Array.from({ length: 30 }, (_, i) => entry(`ORDER_${1000 + i}`, 20 + i));
    const { facts } = addFacts(fields, many, { room: 40, count, prefer: 'added' });
    expect(count(facts!)).toBeLessThanOrEqual(40);
    const values = valuesOf(facts);
    expect(values).toContain('ORDER_1000');
    expect(values).not.toContain('ORDER_1010');
    expect(values).toEqual(expect.arrayContaining(['mia_3668', 'HAT271']));
  });

  test('by use, the values that were used most stay', () => {
    const more = [entry('ORDER_1', 30, 9), entry('ORDER_2', 31, 1)];
    const { facts } = addFacts(fields, more, { room: 12, count, prefer: 'use' });
    expect(valuesOf(facts)).toContain('ORDER_1');
    expect(valuesOf(facts)).not.toContain('JRB442');
    expect(count(facts!)).toBeLessThanOrEqual(12);
  });

  test('lines that are no facts stay', () => {
    const own = { facts: '- [3] read_file({"path":"a"}) -> out_1' };
    const { facts } = addFacts(own, [entry('WP1499', 7)], { room: 100, count, prefer: 'added' });
    expect(facts).toBe(`${own.facts}\n- [7] WP1499`);
  });
});
