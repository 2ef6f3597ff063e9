import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import type { BenchResult, Row } from './bench.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const [start, end] = ['<!-- numbers:start -->', '<!-- numbers:end -->'];

const docHead = `# Benchmarks

\`npm run bench\` measures all of this; \`npm run bench -- --write\` writes this page and the numbers in the README, all from
one run, each baseline and each peer measured in that run too. ✓ and ✗ say whether the target was reached.
`;

/** A result as a Markdown table. */
export function table({ name, rows }: BenchResult): string {
  const cells = rows.map(({ what, value, against, target, reached }) =>
    [what, value, against, `${target}${reached === null ? '' : reached ? ' ✓' : ' ✗'}`].join(' | '),
  );
  return tableOf(`| ${name} | measured | against | target |`, cells);
}

const tableOf = (head: string, cells: readonly string[]): string =>
  [head, head.replace(/[^|]+/g, ' --- '), ...cells.map((row) => `| ${row} |`)].join('\n');

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

/** Writes docs/benchmarks.md, and the rows that have a headline between the marks in README.md. */
export async function writeTables(results: readonly BenchResult[]): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const measured = results.filter(({ rows }) => rows.length > 0);
  const sections = measured.map((result) => `## ${result.name}\n\n${result.about}\n\n${table(result)}\n`);
  await writeMarkdown('docs/benchmarks.md', [docHead, `${day}: ${machine()}\n`, ...sections].join('\n'));
  const readme = await readFile(`${root}README.md`, 'utf8');
  const [from, to] = [readme.indexOf(start), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no ${start} ... ${end}.`);
  const headlines = results
    .flatMap(({ rows }) => rows)
    .flatMap((row: Row) =>
      row.headline ? [`${row.headline.what} | ${row.value} | ${row.headline.against}`] : [],
    );
  const text = `${start}\n\n${tableOf('| | measured | against |', headlines)}\n\n${machine()}\n\n`;
  await writeMarkdown('README.md', readme.slice(0, from) + text + readme.slice(to));
}

async function writeMarkdown(path: string, text: string): Promise<void> {
  const options = await resolveConfig(`${root}${path}`);
  await writeFile(`${root}${path}`, await format(text, { ...options, parser: 'markdown' }));
}
