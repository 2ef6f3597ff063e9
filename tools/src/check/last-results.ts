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

export interface FileResults {
  /** Titles that passed every time they ran, groups of tests included. */
  passed: string[];
  skipped: string[];
}

/** What came of each file's tests; undefined when there was no run. */
export async function lastResults(): Promise<Map<string, FileResults> | undefined> {
  const text = await readFile(join(repository, results), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const files = (JSON.parse(text) as TestResults).testResults;
  return new Map(
    files.map(({ name, assertionResults }) => {
      const titles = {
        passed: new Set<string>(),
        failed: new Set<string>(),
        skipped: new Set<string>(),
      };
      for (const { title, ancestorTitles, status } of assertionResults) {
        const of = status === 'passed' || status === 'failed' ? status : 'skipped';
        for (const said of [title, ...ancestorTitles]) titles[of].add(said);
      }
      const passed = [...titles.passed].filter((said) => !titles.failed.has(said));
      return [relative(repository, name), { passed, skipped: [...titles.skipped] }];
    }),
  );
}
