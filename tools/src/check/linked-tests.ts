import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { repository } from '../repository.js';
import type { Say } from './check.js';
import { lastResults, results, type FileResults } from '../last-run/results.js';

/** A link to a test: its full name, in which brackets and bars are escaped, and its file. */
const link = /\[((?:[^\[\]\\]|\\.)+)\]\(([^)]+\.test\.ts)\)/g;

export interface LinkedTests {
  rows: number;
  /** Rows with a test that the last run left out, because it belongs to the long run. */
  longOnly: string[];
  complaints: string[];
}

/**
 * Every row of a document's tables names tests by file and full name (or by the full name of a group of tests), and
 * all of them passed in the last `npm test`. A row marked (full) may name tests that only the long run runs: they
 * must be there, and count as left out, not as passed. `mayExplain`: a row may say in words why it has no test.
 */
export function linkedTests(
  markdown: string,
  folder: string,
  tested: ReadonlyMap<string, FileResults>,
  { mayExplain = false } = {},
): LinkedTests {
  const rows = markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (what|id|promise|-{2})/.test(line));
  const longOnly: string[] = [];
  const complaints = rows.flatMap((row) => {
    const cells = row.slice(2, -1).split(/ (?<!\\)\| /);
    const what = cells[0]!.trim();
    const tests = [...row.matchAll(link)];
    if (tests.length === 0) {
      const why = mayExplain ? cells.at(-1)!.trim() : '';
      return why.length > 20 ? [] : [`${what}: names no test`];
    }
    const isLong = row.includes('(full)');
    return tests.flatMap(([, escaped, path]) => {
      const name = escaped!.replace(/\\(.)/g, '$1');
      const file = normalize(join(folder, path!));
      const { passed = [], skipped = [] } = tested.get(file) ?? {};
      if (passed.includes(name)) return [];
      if (isLong && skipped.includes(name)) {
        longOnly.push(what);
        return [];
      }
      return [`${what}: "${name}" in ${file} did not pass in the last npm test`];
    });
  });
  return { rows: rows.length, longOnly: [...new Set(longOnly)], complaints };
}

/** Checks the tables of a document against the results of the last `npm test`. */
export async function checkLinkedTests(
  say: Say,
  document: string,
  options: { mayExplain?: boolean } = {},
): Promise<string[]> {
  const text = await readFile(join(repository, document), 'utf8');
  const tested = await lastResults();
  if (!tested) return [`${results} is missing: run npm test first`];
  const { rows, longOnly, complaints } = linkedTests(text, dirname(document), tested, options);
  say(`${rows} rows${longOnly.length === 0 ? '' : `, of the long run only: ${longOnly.join(', ')}`}`);
  return rows > 0 ? complaints : [`${document} has no rows`];
}
