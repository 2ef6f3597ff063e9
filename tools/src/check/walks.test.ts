import { describe, expect, test } from 'vitest';
import { complaintsOf, walksIn } from './walks.js';

const walk = (list: string, max = 3) =>
  walksIn(`# Walks\n\n## A flow\n\nFrom here to there. At most ${max} steps.\n\n${list}\n`)[0]!;
const sources = new Map([
  ['a.ts', "import { second } from './b.js';\nexport const first = () => second();"],
  ['b.ts', 'export function second() {}'],
  ['c.ts', 'export class Third {}'],
]);
const found = (list: string, max?: number) => complaintsOf(walk(list, max), sources);

describe('a walk', () => {
  test('whose files use one another is fine', () => {
    expect(found('1. [a](../a.ts): begins.\n2. [b](../b.ts): ends.')).toEqual([]);
  });

  test('of too many files is found, and one of none', () => {
    expect(found('1. [a](../a.ts)\n2. [b](../b.ts)', 1)).toEqual(['A flow: 2 steps, at most 1']);
    expect(found('no list')).toEqual(['A flow: 0 steps, at most 3']);
  });

  test('through a file that is not there is found', () => {
    expect(found('1. [a](../a.ts)\n2. [z](../z.ts)')).toEqual(['A flow: z.ts is not there']);
  });

  test('through a file that nothing before it uses is found, unless another process begins there', () => {
    const unused = 'A flow: no file before c.ts uses what it exports';
    expect(found('1. [a](../a.ts)\n2. [c](../c.ts)')).toEqual([unused]);
    expect(found('1. [a](../a.ts)\n2. (in the worker) [c](../c.ts)')).toEqual([]);
  });
});
