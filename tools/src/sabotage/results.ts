import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { repository } from '../repository.js';
import type { Guard } from './guard.js';
import type { TestResult } from './run-test.js';

/** The result of a run without a guard. */
export interface Sabotaged {
  guard: string;
  /** Hash of the guard at that time: a guard that changed since has not been tried. */
  hash: string;
  result: TestResult;
}

/** One line per guard, sorted by name, so that results of different runs merge. */
const file = join(repository, 'tools/src/sabotage/results.jsonl');

/** A file that only moved counts as the same file. */
export const hashOf = ({ file, find, replace, everywhere, test }: Guard): string =>
  createHash('sha256')
    .update(
      JSON.stringify([basename(file), find, replace, everywhere ?? false, basename(test.file), test.name]),
    )
    .digest('hex')
    .slice(0, 16);

/** The recorded results, by the name of the guard. */
export async function readResults(): Promise<Map<string, Sabotaged>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const rows = text.split('\n').filter((line) => line !== '');
  return new Map(rows.map((line) => JSON.parse(line) as Sabotaged).map((row) => [row.guard, row]));
}

/** Replaces the results of guards that no longer exist or were just tried. */
export async function writeResults(guards: readonly Guard[], tried: readonly Sabotaged[]): Promise<void> {
  const results = await readResults();
  for (const row of tried) results.set(row.guard, row);
  const names = guards.map(({ name }) => name).sort();
  const rows = names.flatMap((name) => results.get(name) ?? []);
  await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** The result of this guard in its current form; undefined when it was not tried. */
export const resultOf = (guard: Guard, results: ReadonlyMap<string, Sabotaged>): TestResult | undefined => {
  const row = results.get(guard.name);
  return row?.hash === hashOf(guard) ? row.result : undefined;
};
