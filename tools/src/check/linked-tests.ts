import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { repository } from '../repository.js';
import type { Say } from './check.js';
import { lastResults, results } from './last-results.js';

const link = /\[([^\]]+)\]\(([^)]+\.test\.ts)\)/g;
/** F12, A7: the tests of such a row start with its id, and its links may say anything. */
const rowId = /^[FA]\d+$/;

/**
 * Every row of a table names tests that exist and passed in the last `npm test`: by their titles, or, in a table of
 * ids, by the id they start with. A row marked (full) is of the long run and may have been left out of that one.
 * `mayExplain`: a row may say in words why it has no test.
 */
export async function checkLinkedTests(
  say: Say,
  document: string,
  { mayExplain = false } = {},
): Promise<string[]> {
  const text = await readFile(join(repository, document), 'utf8');
  const tested = await lastResults();
  if (!tested) return [`${results} is missing: run npm test first`];
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (what|id|promise|-{2})/.test(line));
  const complaints = rows.flatMap((row) => {
    const cells = row.slice(2, -1).split(' | ');
    const what = cells[0]!.trim();
    const tests = [...row.matchAll(link)];
    if (tests.length === 0) {
      const why = mayExplain ? cells.at(-1)!.trim() : '';
      return why.length > 20 ? [] : [`${what}: names no test`];
    }
    const isLong = row.includes('(full)');
    return tests.flatMap(([, title, path]) => {
      const file = relative(repository, resolve(repository, dirname(document), path!));
      const isMeant = (name: string): boolean =>
        name === title || (rowId.test(what) && name.split(/[ :]/).includes(what));
      const { passed = [], skipped = [] } = tested.get(file) ?? {};
      const proves = passed.some(isMeant) || (isLong && skipped.some(isMeant));
      return proves ? [] : [`${what}: "${title}" in ${file} did not pass in the last npm test`];
    });
  });
  say(`${rows.length} rows`);
  return rows.length > 0 ? complaints : [`${document} has no rows`];
}
