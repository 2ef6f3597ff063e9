import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import type { BenchResult, Row } from './bench.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const [start, end] = ['<!-- numbers:start -->', '<!-- numbers:end -->'];

const docHead = `# Benchmarks

\`npm run bench\` measures all of this; \`npm run bench -- --write\` writes this page and the numbers in the README, and
\`npm run bench <name> -- --write\` one section. \`npm run bench -- --check\` fails when a share or a ratio is worse than in
bench/baseline.json, which the same run writes. A section comes from one run, each baseline and each peer measured in that
run too. ✓ and ✗ say whether the target was reached.
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
  `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, load generator on the same machine, embedded Postgres 18 with fsync on.`;

export async function save(result: BenchResult): Promise<void> {
  await mkdir(`${root}bench/results`, { recursive: true });
  await writeFile(
    `${root}bench/results/${result.name}.json`,
    `${JSON.stringify({ machine: machine(), ...result }, null, 2)}\n`,
  );
}

const sectionOf = (result: BenchResult): string =>
  `## ${result.name}\n\n${result.about}\n\n${new Date().toISOString().slice(0, 10)}: ${machine()}\n\n${table(result)}\n`;

const headlinesOf = (results: readonly BenchResult[]): { what: string; cells: string }[] =>
  results
    .flatMap(({ rows }) => rows)
    .flatMap((row: Row) =>
      row.headline
        ? [
            {
              what: row.headline.what,
              cells: `${row.headline.what} | ${row.value} | ${row.headline.against}`,
            },
          ]
        : [],
    );

/** Writes docs/benchmarks.md, and the rows that have a headline between the marks in README.md. */
export async function writeTables(results: readonly BenchResult[]): Promise<void> {
  const measured = results.filter(({ rows }) => rows.length > 0);
  await writeMarkdown('docs/benchmarks.md', [docHead, ...measured.map(sectionOf)].join('\n'));
  const cells = headlinesOf(results).map((headline) => headline.cells);
  const text = `${start}\n\n${tableOf('| | measured | against |', cells)}\n\n${machine()}\n\n`;
  const readme = await partsOf('README.md');
  await writeMarkdown('README.md', readme.before + text + readme.after);
}

/** Replaces or adds the sections of some benches in docs/benchmarks.md, and replaces their rows in README.md. */
export async function writeSections(results: readonly BenchResult[]): Promise<void> {
  let page = await readFile(`${root}docs/benchmarks.md`, 'utf8');
  for (const result of results.filter(({ rows }) => rows.length > 0)) {
    const from = page.indexOf(`\n## ${result.name}\n`);
    const next = page.indexOf('\n## ', from + 1);
    page =
      from < 0
        ? `${page}\n${sectionOf(result)}`
        : `${page.slice(0, from + 1)}${sectionOf(result)}${next < 0 ? '' : page.slice(next)}`;
  }
  await writeMarkdown('docs/benchmarks.md', docHead + page.slice(page.indexOf('\n## ')));
  const { before, between, after } = await partsOf('README.md');
  const lines = between.split('\n');
  const headlines = headlinesOf(results);
  // The last line says what the numbers were measured on.
  if (headlines.length > 0) lines[lines.findLastIndex((line) => line !== '')] = machine();
  for (const { what, cells } of headlines) {
    const at = lines.findIndex((line) => line.startsWith(`| ${what} `));
    if (at < 0) throw new Error(`README.md has no row "${what}".`);
    lines[at] = `| ${cells} |`;
  }
  await writeMarkdown('README.md', before + lines.join('\n') + after);
}

/** The page of a decision that a bench's numbers made, with the table of the run between its marks. */
const decisions: Record<string, string> = {
  drift: 'docs/adr/0054-summaries-roll-they-are-not-frozen.md',
};

/** Replaces what stands between the marks of other pages: tables of decisions, and what a bench computes. */
export async function writePages(results: readonly BenchResult[]): Promise<void> {
  for (const result of results) {
    const decision = decisions[result.name];
    if (decision) await writeBetweenMarks(decision, table(result));
    for (const { path, text } of result.pages ?? []) await writeBetweenMarks(path, text);
  }
}

async function writeBetweenMarks(path: string, text: string): Promise<void> {
  const { before, after } = await partsOf(path);
  await writeMarkdown(path, `${before}${start}\n\n${text}\n\n${after}`);
}

/** A page around its marks: `between` begins with the first, `after` with the second. */
async function partsOf(path: string): Promise<{ before: string; between: string; after: string }> {
  const page = await readFile(`${root}${path}`, 'utf8');
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} has no ${start} ... ${end}.`);
  return { before: page.slice(0, from), between: page.slice(from, to), after: page.slice(to) };
}

async function writeMarkdown(path: string, text: string): Promise<void> {
  const options = await resolveConfig(`${root}${path}`);
  await writeFile(`${root}${path}`, await format(text, { ...options, parser: 'markdown' }));
}
