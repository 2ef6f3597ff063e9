import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { repository } from '../repository.js';
import type { Say } from './check.js';
import { lastResults, results, type FileResults } from '../last-run/results.js';

/** A link to a test: its full name, in which brackets and bars are escaped, and its file. */
const link = /\[((?:[^\[\]\\]|\\.)+)\]\(([^)]+\.test\.ts)\)/g;

export interface LinkedTests {
  rows: number;
  /** Rows with a test that the last run left out, because it belongs to a longer run. */
  leftOut: string[];
  complaints: string[];
}

interface LinkOptions {
  mayExplain?: boolean;
  eachRun?: boolean;
}

/**
 * Every row of a document's tables names tests by file and full name (or by the full name of a group of tests), and
 * all of them passed in the last run. It may have left out those that `npm run test:all` runs, and in a row marked
 * (full) those of full sizes: they must be there, and count as left out, not as passed. `mayExplain`: a row may say in
 * words why it has no test. `eachRun`: no run may leave out all tests of a row.
 */
export function linkedTests(
  markdown: string,
  folder: string,
  tested: ReadonlyMap<string, FileResults>,
  { mayExplain = false, eachRun = false }: LinkOptions = {},
): LinkedTests {
  const rows = markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (what|id|promise|-{2})/.test(line));
  const leftOut: string[] = [];
  const complaints = rows.flatMap((row) => {
    const cells = row.slice(2, -1).split(/ (?<!\\)\| /);
    const what = cells[0]!.trim();
    const tests = [...row.matchAll(link)];
    if (tests.length === 0) {
      const why = mayExplain ? cells.at(-1)!.trim() : '';
      return why.length > 20 ? [] : [`${what}: names no test`];
    }
    const isFull = row.includes('(full)');
    let proofs = 0;
    const missing = tests.flatMap(([, escaped, path]) => {
      const name = escaped!.replace(/\\(.)/g, '$1');
      const file = normalize(join(folder, path!));
      const { passed = [], skipped = [], long = [] } = tested.get(file) ?? {};
      if (passed.includes(name)) {
        proofs++;
        return [];
      }
      if (long.includes(name) || (isFull && skipped.includes(name))) {
        leftOut.push(what);
        return [];
      }
      return [`${what}: "${name}" in ${file} did not pass in the last run of tests`];
    });
    const unproved = eachRun && proofs === 0 && missing.length === 0;
    return unproved ? [`${what}: npm test runs none of its tests`] : missing;
  });
  return { rows: rows.length, leftOut: [...new Set(leftOut)], complaints };
}

/** Checks the tables of a document against the results of the last run of tests. */
export async function checkLinkedTests(
  say: Say,
  document: string,
  options: LinkOptions = {},
): Promise<string[]> {
  const text = await readFile(join(repository, document), 'utf8');
  const tested = await lastResults();
  if (!tested) return [`${results} is missing: run npm test first`];
  const { rows, leftOut, complaints } = linkedTests(text, dirname(document), tested, options);
  const left = leftOut.length === 0 ? '' : `. Of these a longer run has more tests: ${leftOut.join(', ')}`;
  say(`${rows} rows${left}`);
  return rows > 0 ? complaints : [`${document} has no rows`];
}
