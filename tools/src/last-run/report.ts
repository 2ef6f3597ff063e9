import type { RanFile } from './results.js';

const shown = 20;

/** What a log should end with: the files that took longest, and the tests that failed, by name, with their first error. */
export function reportOf(files: readonly RanFile[]): string {
  const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, shown);
  return [
    `${files.length} test files. The slowest, in seconds:`,
    ...slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${file}`),
    ...files.flatMap((ran) => ran.failed.map(({ name, error }) => `failed: ${ran.file} > ${name}: ${error}`)),
  ].join('\n');
}
