import type { Guard } from './guard.js';
import type { TestResult } from './run-test.js';

export interface Sabotaged {
  guard: Guard;
  result: TestResult;
}

const head = `# Sabotage

A test that passes proves little until it has been seen to fail. \`npm run sabotage\` takes away one guard of the
product at a time, in a copy of the checkout, and runs the test that is to notice: it passes with the guard and must
fail without it. This table is what the last run wrote; \`npm run check\` fails when the text of a guard, or a test,
is no longer there.

| guard | where | test that fails without it | caught |
| ----- | ----- | -------------------------- | ------ |
`;

/** docs/sabotage.md. */
export const documentOf = (rows: readonly Sabotaged[]): string =>
  head +
  rows
    .map(({ guard: { name, file, test }, result }) => {
      const where = `[${file.replace('/src/', '/')}](../${file})`;
      return `| ${name} | ${where} | [${test.name}](../${test.file}) | ${result === 'failed' ? 'yes' : `**no: ${result}**`} |`;
    })
    .join('\n') +
  '\n';
