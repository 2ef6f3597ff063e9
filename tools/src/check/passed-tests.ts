import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { repository } from '../repository.js';

interface TestResults {
  testResults: {
    name: string;
    assertionResults: { title: string; ancestorTitles: string[]; status: string }[];
  }[];
}

/** Where `npm test` writes what came of it. */
export const results = '.test-results/last.json';

/**
 * Titles of tests and groups that passed, by file. One that stands in several groups passed when it did every time;
 * a group passed when all of it did that was run.
 */
export async function passedTests(): Promise<Map<string, string[]> | undefined> {
  const text = await readFile(join(repository, results), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const files = (JSON.parse(text) as TestResults).testResults;
  return new Map(
    files.map(({ name, assertionResults }) => {
      const passed = new Set<string>();
      const failed = new Set<string>();
      for (const { title, ancestorTitles, status } of assertionResults) {
        for (const said of [title, ...ancestorTitles]) {
          if (status === 'passed') passed.add(said);
          else if (status === 'failed') failed.add(said);
        }
      }
      return [relative(repository, name), [...passed].filter((said) => !failed.has(said))];
    }),
  );
}
