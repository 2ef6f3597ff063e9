import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BenchResult } from './bench.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const [start, end] = ['<!-- bench:start -->', '<!-- bench:end -->'];

/** A result as a Markdown table. */
export function table({ name, rows }: BenchResult): string {
  const cells = rows.map(({ what, value, against, target, reached }) =>
    [what, value, against, `${target}${reached === null ? '' : reached ? ' ✓' : ' ✗'}`].join(' | '),
  );
  return [
    `| ${name} | measured | against | target |`,
    '| --- | --- | --- | --- |',
    ...cells.map((row) => `| ${row} |`),
  ].join('\n');
}

/** What the numbers were measured on. */
export const machine = (): string =>
  `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, load generator on the same machine, embedded Postgres 18 with fsync off.`;

export async function save(result: BenchResult): Promise<void> {
  await mkdir(`${root}bench/results`, { recursive: true });
  await writeFile(
    `${root}bench/results/${result.name}.json`,
    `${JSON.stringify({ machine: machine(), ...result }, null, 2)}\n`,
  );
}

/** Puts the tables between the marks in README.md. */
export async function writeReadme(results: readonly BenchResult[]): Promise<void> {
  const readme = await readFile(`${root}README.md`, 'utf8');
  const [from, to] = [readme.indexOf(start), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no ${start} ... ${end}.`);
  const text = `${start}\n\n${machine()}\n\n${results.map(table).join('\n\n')}\n\n`;
  await writeFile(`${root}README.md`, readme.slice(0, from) + text + readme.slice(to));
}
