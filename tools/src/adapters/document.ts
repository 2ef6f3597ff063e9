import { formatted } from '../formatted.js';
import type { GeneratedFile } from '../generated-files.js';
import type { TestResult } from '../last-run/results.js';
import { outsideSuite, type AdapterPackage } from './packages.js';

/** The suite that every adapter passes. Groups of its tests are adapters, titles are cases. */
export const suite = 'test/agents/adapters/conformance.test.ts';

const path = 'docs/adapters.md';

const head = `# Adapters

Each adapter passes the [same suite](../${suite}) with the real framework, the real service and a stub of its provider that
refuses what the provider refuses. \`npm run adapters\` runs the suite and writes this page; \`npm run check\` fails
when the page differs from the last run, or when a case did not pass. \`npm test\` leaves
frameworks that \`npm ci\` does not install to \`npm run test:all\`.
`;

/** Returns docs/adapters.md as the results of a run have it. */
export const adaptersPage = async (
  packages: readonly AdapterPackage[],
  results: readonly TestResult[],
): Promise<GeneratedFile> => ({ path, text: await formatted(path, adaptersDocument(packages, results)) });

/** Its text, before it is formatted. */
export function adaptersDocument(
  packages: readonly AdapterPackage[],
  results: readonly TestResult[],
): string {
  const titles = [...new Set(results.map(({ title }) => title))];
  const names = packages.map(({ folder }) => folder).filter((folder) => !(folder in outsideSuite));
  const outside = packages.filter(({ folder }) => folder in outsideSuite);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const links = packages.map(({ folder, name }) => `[${name}](../libs/adapters/${folder}/README.md)`);
  return [
    head,
    '\n',
    row(['adapter', 'framework', 'versions', 'tested with']),
    row(Array(4).fill('---')),
    ...packages.map(({ framework, range, tested }, i) => row([links[i]!, framework, range, tested])),
    ...outside.map(({ folder, name }) => `\n${name} is not in the suite: ${outsideSuite[folder]}.\n`),
    '\n',
    row(['case', ...names]),
    row(Array(names.length + 1).fill('---')),
    ...titles.map((title) => row([title, ...names.map((name) => cellOf(name, title, results))])),
  ].join('');
}

/** Returns what is missing: adapters without a run, and cases that did not pass. */
export function missingCases(packages: readonly AdapterPackage[], results: readonly TestResult[]): string[] {
  const titles = [...new Set(results.map(({ title }) => title))];
  return packages.flatMap(({ folder, name }) => {
    if (folder in outsideSuite) return [];
    if (!results.some(({ group }) => group === folder)) return [`${name} has no driver in ${suite}`];
    return titles
      .filter((title) => cellOf(folder, title, results) !== 'yes')
      .map((title) => `${name}: "${title}" did not pass`);
  });
}

function cellOf(adapter: string, title: string, results: readonly TestResult[]): string {
  const result = results.find((one) => one.group === adapter && one.title === title);
  if (result?.status === 'passed') return 'yes';
  return result?.status === 'failed' ? '**no**' : 'not run';
}
