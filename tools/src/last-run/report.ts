import type { RanFile } from './results.js';

const shown = 20;

/** What a log should end with: the tests that failed, by name, and the files that took longest. */
export function reportOf(files: readonly RanFile[]): string {
  const failed = files.flatMap((ran) => ran.failed.map((name) => `failed: ${ran.file} > ${name}`));
  const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, shown);
  return [
    ...failed,
    `${files.length} test files. The slowest, in seconds:`,
    ...slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${file}`),
  ].join('\n');
}
