import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { repository } from '../repository.js';

interface TestResults {
  testResults: {
    name: string;
    /** Milliseconds since 1970. */
    startTime: number;
    endTime: number;
    assertionResults: {
      title: string;
      fullName: string;
      ancestorTitles: string[];
      status: string;
      tags: string[];
      failureMessages?: string[];
    }[];
  }[];
}

/** Where `npm test` and `npm run test:all` write their results. */
export const results = '.test-results/last.json';
/** Results of `npm run test:trajectories`. A clone without those threads has no such file. */
const moreResults = '.test-results/trajectories.json';

export interface FileResults {
  /** Titles that passed every time they ran, with groups of tests. */
  passed: string[];
  /** Left out by the test itself, such as one for a full size. */
  skipped: string[];
  /** Left to `npm run test:all`. */
  long: string[];
}

export interface TestResult {
  /** The outermost group of tests. */
  group: string;
  title: string;
  /** `passed`, `failed`, `long` for one that is left to `npm run test:all`, or why else it did not run. */
  status: string;
}

/** Returns the result of each test of a file, or undefined when it is not in these results. */
export async function testsOf(file: string, path: string): Promise<TestResult[] | undefined> {
  const run = (await readResults(path))?.testResults.find(({ name }) => relative(repository, name) === file);
  return run?.assertionResults.map((result) => ({
    group: result.ancestorTitles.find((name) => name !== '') ?? '',
    title: result.title,
    status: isLeft(result) ? 'long' : result.status,
  }));
}

/** Returns the results of each test file, or undefined when no run was made. */
export async function lastResults(): Promise<Map<string, FileResults> | undefined> {
  const [tests, more] = await Promise.all([resultsIn(results), resultsIn(moreResults)]);
  return tests && new Map([...tests, ...(more ?? [])]);
}

export interface RanFile {
  file: string;
  seconds: number;
  /** The tests that failed, by full name, each with the first line of its error. */
  failed: { name: string; error: string }[];
}

/** Returns the test files of the last run, also of the threads that the repository does not hold. */
export async function ranFiles(): Promise<RanFile[]> {
  const runs = await Promise.all([results, moreResults].map(readResults));
  return runs
    .flatMap((run) => run?.testResults ?? [])
    .map(({ name, startTime, endTime, assertionResults }) => ({
      file: relative(repository, name),
      seconds: (endTime - startTime) / 1000,
      failed: assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => ({
          name: fullName,
          error: failureMessages?.[0]?.split('\n')[0]?.slice(0, 300) ?? 'no error',
        })),
    }));
}

const isLeft = ({ status, tags }: { status: string; tags: string[] }): boolean =>
  status !== 'passed' && status !== 'failed' && tags.includes('long');

async function resultsIn(path: string): Promise<[string, FileResults][] | undefined> {
  const files = (await readResults(path))?.testResults;
  return files?.map(({ name, assertionResults }) => {
    const titles = {
      passed: new Set<string>(),
      failed: new Set<string>(),
      skipped: new Set<string>(),
      long: new Set<string>(),
    };
    for (const result of assertionResults) {
      const { title, ancestorTitles, status } = result;
      const ran = status === 'passed' || status === 'failed' ? status : 'skipped';
      const of = isLeft(result) ? 'long' : ran;
      for (const name of [title, ...ancestorTitles]) titles[of].add(name);
    }
    const passed = [...titles.passed].filter((name) => !titles.failed.has(name));
    return [relative(repository, name), { passed, skipped: [...titles.skipped], long: [...titles.long] }];
  });
}

async function readResults(path: string): Promise<TestResults | undefined> {
  const text = await readFile(join(repository, path), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as TestResults);
}
