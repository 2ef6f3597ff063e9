import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import type { BenchResult, Guarded } from './bench.js';

const file = fileURLToPath(new URL('../baseline.json', import.meta.url));

/** Numbers of an earlier run, by bench, row and number. */
export type Baseline = Record<string, number>;

/** Throws when two rows of a bench have one name: one of them would be compared with the other. */
function guardedOf(results: readonly BenchResult[]): (Guarded & { key: string })[] {
  const guarded = results.flatMap(({ name, rows }) =>
    rows.flatMap(({ what, guarded = {} }) =>
      Object.entries(guarded).map(([number, guard]) => ({ key: `${name}: ${what}: ${number}`, ...guard })),
    ),
  );
  const keys = new Set<string>();
  for (const { key } of guarded) {
    if (keys.has(key)) throw new Error(`Two rows are called "${key}".`);
    keys.add(key);
  }
  return guarded;
}

/** What got worse than the baseline by more than it may, and what was not compared, as lines for people. */
export function compare(
  results: readonly BenchResult[],
  baseline: Baseline,
): { worse: string[]; notCompared: string[] } {
  const guarded = guardedOf(results);
  const known = guarded.filter(({ key }) => baseline[key] !== undefined);
  const worse = known.filter(({ key, value, better, within }) => {
    const before = baseline[key]!;
    return better === 'more' ? value < before * (1 - within) : value > before * (1 + within);
  });
  const measured = new Set(guarded.map(({ key }) => key));
  const ofTheseBenches = Object.keys(baseline).filter((key) =>
    results.some(({ name }) => key.startsWith(`${name}: `)),
  );
  return {
    worse: worse.map(
      ({ key, value, within }) =>
        `${key} is ${shown(value)}, was ${shown(baseline[key]!)}; it may be worse by ${Math.round(within * 100)} %`,
    ),
    notCompared: [
      ...guarded
        .filter(({ key }) => baseline[key] === undefined)
        .map(({ key }) => `${key} is not in the baseline`),
      ...ofTheseBenches.filter((key) => !measured.has(key)).map((key) => `${key} was not measured`),
    ],
  };
}

const shown = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

export const readBaseline = async (): Promise<Baseline> =>
  JSON.parse(await readFile(file, 'utf8')) as Baseline;

/** Replaces the numbers of these benches in bench/baseline.json. */
export async function writeBaseline(results: readonly BenchResult[]): Promise<void> {
  const others = Object.entries(await readBaseline()).filter(
    ([key]) => !results.some(({ name }) => key.startsWith(`${name}: `)),
  );
  const own = guardedOf(results).map(({ key, value }) => [key, Number(value.toPrecision(4))] as const);
  const sorted = Object.fromEntries([...others, ...own].sort(([a], [b]) => (a < b ? -1 : 1)));
  const options = await resolveConfig(file);
  await writeFile(file, await format(JSON.stringify(sorted), { ...options, parser: 'json' }));
}
