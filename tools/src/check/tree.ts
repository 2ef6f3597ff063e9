import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { repository } from '../repository.js';
import { runCommand } from './run-check.js';

const mostMedian = 80;
const longFile = 250;
const shareOfShort = 0.95;
const vagueNames = /^(utils?|helpers?|common|misc|shared|base|manager)\b/i;

/** Files that are written by hand and run: not tests, not generated, not data. */
const isSource = (path: string): boolean =>
  /^(apps|libs|tools|bench)\/.*\.(ts|tsx|mjs)$/.test(path) &&
  !/\.test\.tsx?$|\/generated\/|libs\/client\/src\/schema\.ts$|\.d\.ts$/.test(path);

/** Small files with telling names: median under 80 lines, 95 % under 250. */
export async function checkTree(): Promise<string[]> {
  const { output } = await runCommand(['git', 'ls-files', '--cached', '--others', '--exclude-standard']);
  const paths = output.split('\n').filter(isSource);
  const sizes = await Promise.all(
    paths.map(async (path) => ({
      path,
      lines: (await readFile(join(repository, path), 'utf8').catch(() => '')).split('\n').length,
    })),
  );
  sizes.sort((a, b) => a.lines - b.lines);
  const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0;
  const long = sizes.filter((file) => file.lines > longFile);
  console.log(`     ${sizes.length} source files, median ${median} lines, ${long.length} over ${longFile}`);

  const complaints = paths
    .filter((path) => vagueNames.test(basename(path)) || /\/(utils?|helpers?|common|misc)\//.test(path))
    .map((path) => `${path}: name it after its idea`);
  if (median >= mostMedian)
    complaints.push(`the median file has ${median} lines; under ${mostMedian} is the aim`);
  if (long.length > sizes.length * (1 - shareOfShort)) {
    complaints.push(`too many long files: ${long.map((file) => `${file.path} (${file.lines})`).join(', ')}`);
  }
  return complaints;
}
