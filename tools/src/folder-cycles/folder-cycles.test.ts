import { describe, expect, test } from 'vitest';
import { againstIndex, folderCycles } from './folder-cycles.js';

const files = (...rows: readonly (readonly [file: string, ...imports: string[]])[]) =>
  new Map(
    rows.map(([file, ...imports]) => [
      file,
      imports.map((path) => `import { x } from '${path}';`).join('\n'),
    ]),
  );

describe('folders that import each other', () => {
  test('in one direction are fine', () => {
    expect(folderCycles(files(['a/one.ts', '../b/two.js'], ['b/two.ts', './three.js', 'node:fs']))).toEqual(
      [],
    );
  });

  test('in both directions are found, with the files that do', () => {
    expect(folderCycles(files(['a/one.ts', '../b/two.js'], ['b/three.ts', '../a/four.js']))).toEqual([
      'a -> b -> a: a/one.ts imports b, b/three.ts imports a',
    ]);
  });

  test('in a ring are found, however the first of them was reached', () => {
    const ring = files(
      ['z/0.ts', '../a/1.js'],
      ['a/1.ts', '../b/2.js'],
      ['b/2.ts', '../c/3.js'],
      ['c/3.ts', '../a/1.js'],
    );
    expect(folderCycles(ring)).toEqual([
      'a -> b -> c -> a: a/1.ts imports b, b/2.ts imports c, c/3.ts imports a',
    ]);
  });

  test('are compared with those beside them, each with all that it holds', () => {
    const deep = files(['a/x/1.ts', '../y/2.js'], ['a/y/z/2.ts', '../../x/3.js']);
    expect(folderCycles(deep)).toEqual(['a/x -> a/y -> a/x: a/x/1.ts imports y, a/y/z/2.ts imports x']);
    expect(folderCycles(files(['a/x/1.ts', '../../b/2.js'], ['b/2.ts', '../a/y/3.js']))).toHaveLength(1);
  });

  test('through types and exports are found as well', () => {
    const typed = new Map([
      ['a/1.ts', "export type { Two } from '../b/2.js';"],
      ['b/2.ts', "export const one = () => import('../a/1.js');"],
    ]);
    expect(folderCycles(typed)).toHaveLength(1);
  });

  test('are not found in a parent and its own folders', () => {
    const table = files(
      ['a/table.ts', './x/1.js'],
      ['a/x/1.ts', '../interface.js'],
      ['index.ts', './a/table.js'],
    );
    expect(folderCycles(table)).toEqual([]);
  });
});

describe('a folder', () => {
  const index = ['index.ts', './a/1.js', './b/2.js', './errors.js'] as const;

  test('may import those that the index names before it, and files beside the index', () => {
    expect(againstIndex(files(index, ['b/2.ts', '../a/1.js', '../errors.js']))).toEqual([]);
  });

  test('that imports one that the index names later is found', () => {
    expect(againstIndex(files(index, ['a/1.ts', '../b/2.js']))).toEqual([
      'a/1.ts imports b, which index.ts names after a',
    ]);
  });
});
