import { formatted } from '../formatted.js';
import type { GeneratedFile } from '../generated-files.js';
import { findings, type Finding } from './findings.js';
import type { Guard } from './guard.js';
import { resultOf, type Sabotaged } from './results.js';

type Results = ReadonlyMap<string, Sabotaged>;

/** What runs write: both pages. */
export const sabotagePages = (guards: readonly Guard[], results: Results): Promise<GeneratedFile[]> =>
  Promise.all(
    Object.entries({
      'docs/sabotage.md': sabotageDocument(guards, results),
      'docs/review.md': reviewDocument(guards, results),
    }).map(async ([path, text]) => ({ path, text: await formatted(path, text) })),
  );

const sabotageHead = `# Sabotage

A test that passes proves little until it has been seen to fail. \`npm run sabotage\` removes one guard of the product
at a time, in a copy of the checkout, and runs the test that must notice: it passes with the guard and must fail
without it. Runs write this table and nothing else does; \`npm run check\` fails when it differs from the recorded
results, or when the text of a guard or its test is gone.

| guard | where | test that fails without it | caught |
| ----- | ----- | -------------------------- | ------ |
`;

const reviewHead = `# The review of version 1

Version 1 was reviewed as a stranger, an agent developer, an attacker and an operator would meet it. Each finding below
has a repair, and each repair has a test that fails when the repair is removed. \`npm run sabotage\` removes each of them
once and writes this table; \`npm run check\` fails when a finding has neither a repair nor an answer.

| finding | what broke | test that fails without the repair | caught |
| ------- | ---------- | ---------------------------------- | ------ |
`;

const caughtOf = (guard: Guard, results: Results): string => {
  const result = resultOf(guard, results);
  if (result === undefined) return 'not tried yet';
  return result === 'failed' ? 'yes' : `**no: ${result}**`;
};

const testLink = ({ test }: Guard): string => `[${test.name.replaceAll('|', '\\|')}](../${test.file})`;

/** docs/sabotage.md: every guard. */
const sabotageDocument = (guards: readonly Guard[], results: Results): string =>
  sabotageHead +
  guards
    .map((guard) => {
      const where = `[${guard.file.replace('/src/', '/')}](../${guard.file})`;
      return `| ${guard.name} | ${where} | ${testLink(guard)} | ${caughtOf(guard, results)} |\n`;
    })
    .join('');

/** docs/review.md: every finding with the guards of its repair. */
const reviewDocument = (guards: readonly Guard[], results: Results): string =>
  reviewHead + findings.map((finding) => rowsOf(finding, guards, results)).join('');

function rowsOf({ id, what, answer }: Finding, guards: readonly Guard[], results: Results): string {
  const repairs = guards.filter((guard) => guard.findings?.includes(id));
  const rows = repairs.map((guard, i) => {
    const first = i === 0 ? `| ${id} | ${what} ` : '| | ';
    return `${first}| ${testLink(guard)} | ${caughtOf(guard, results)} |\n`;
  });
  if (answer !== undefined) rows.push(`| ${rows.length === 0 ? `${id} | ${what}` : ' | '} | ${answer} | |\n`);
  return rows.join('');
}

/** Findings without a repair or an answer. */
export const openFindings = (guards: readonly Guard[]): string[] => {
  const repaired = new Set(guards.flatMap((guard) => guard.findings ?? []));
  return findings.filter(({ id, answer }) => !repaired.has(id) && answer === undefined).map(({ id }) => id);
};

/** Ids in guards that match no finding. */
export const unknownFindings = (guards: readonly Guard[]): string[] => {
  const known = new Set(findings.map(({ id }) => id));
  return guards.flatMap((guard) => guard.findings ?? []).filter((id) => !known.has(id));
};
