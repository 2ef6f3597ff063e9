import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { repository } from '../repository.js';

interface TestResults {
  testResults: {
    name: string;
    assertionResults: { title: string; ancestorTitles: string[]; status: string }[];
  }[];
}

const results = '.test-results/last.json';
const link = /\[([^\]]+)\]\(([^)]+\.test\.ts)\)/g;

/** Every row of docs/features.md names a test, and that test passed in the last `npm test`. */
export async function checkFeatures(): Promise<string[]> {
  const document = await readFile(join(repository, 'docs/features.md'), 'utf8');
  const passed = await passedTests();
  if (!passed) return [`${results} is missing: run npm test first`];
  const rows = document.split('\n').filter((line) => line.startsWith('| ') && !/^\| (what |-{3})/.test(line));
  const complaints = rows.flatMap((row) => {
    const what = row.split(' | ')[0]!.slice(2).trim();
    const tests = [...row.matchAll(link)];
    if (tests.length === 0) return [`${what}: names no test`];
    return tests.flatMap(([, title, path]) => {
      const file = relative(repository, resolve(repository, 'docs', path!));
      return passed.has(`${file} ${title!}`)
        ? []
        : [`${what}: "${title}" in ${file} did not pass in the last npm test`];
    });
  });
  console.log(`     ${rows.length} rows`);
  return rows.length > 0 ? complaints : ['docs/features.md has no rows'];
}

/** Tests by file and title that passed, every time they ran (a title may stand in several groups). */
async function passedTests(): Promise<Set<string> | undefined> {
  const text = await readFile(join(repository, results), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const passed = new Set<string>();
  const failed = new Set<string>();
  for (const { name, assertionResults } of (JSON.parse(text) as TestResults).testResults) {
    for (const { title, ancestorTitles, status } of assertionResults) {
      for (const said of [title, ...ancestorTitles]) {
        const key = `${relative(repository, name)} ${said}`;
        (status === 'passed' ? passed : failed).add(key);
      }
    }
  }
  return new Set([...passed].filter((key) => !failed.has(key)));
}
