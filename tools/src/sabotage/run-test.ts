import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

export type TestResult = 'passed' | 'failed' | 'did not run';

interface Report {
  testResults: { assertionResults: { title: string; ancestorTitles: string[]; status: string }[] }[];
}

/** Runs the tests of one file that have this name, or stand under it, in a process of their own. */
export async function runTest(root: string, file: string, name: string): Promise<TestResult> {
  const results = join(root, 'sabotage-results.json');
  await rm(results, { force: true });
  const pattern = patternOf(name);
  const isNamed = new RegExp(`^${pattern}$`);
  const output = await runVitest(root, [file, '-t', pattern, '--reporter=json', `--outputFile=${results}`]);
  const text = await readFile(results, 'utf8').catch(() => {
    throw new Error(`${file} gave no results:\n${output.slice(-4_000)}`);
  });
  const statuses = (JSON.parse(text) as Report).testResults
    .flatMap((one) => one.assertionResults)
    .filter(({ title, ancestorTitles }) => [title, ...ancestorTitles].some((one) => isNamed.test(one)))
    .map(({ status }) => status);
  if (statuses.includes('failed')) return 'failed';
  return statuses.includes('passed') ? 'passed' : 'did not run';
}

/** A test made from a table has placeholders in its name. */
const patternOf = (name: string): string =>
  name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%[sdifjo]/g, '.*');

function runVitest(root: string, args: string[]): Promise<string> {
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, 'run', ...args], {
      cwd: root,
      // Seeds and sizes are those of `npm test`: fixed, so the run without the guard takes the same way.
      env: { ...process.env, NO_COLOR: '1', SPILLWAY_UNBUNDLED: '1' },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}
