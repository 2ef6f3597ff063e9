import { hex, word, type OddLine } from './odd-line.js';

/** Listings, matches, sources, changes and pages. */
export const files: readonly OddLine[] = [
  {
    name: 'find',
    size: 1_600,
    usual: (i, random) => `./src/${word(random)}/${word(random)}/part-${i}.ts`,
    odd: (i) => ({
      text: `find: ‘./src/secrets-${i}’: Permission denied`,
      cause: [`‘./src/secrets-${i}’: Permission denied`],
    }),
  },
  {
    name: 'ls -l',
    size: 900,
    usual: (i, random) =>
      `-rw-r--r-- 1 app app ${String(random(99_999)).padStart(6)} Nov 22 09:${10 + (i % 50)} ${word(random)}-${i}.dat`,
    odd: (i) => ({
      text: `ls: cannot access 'ledger-${i}.dat': Input/output error`,
      cause: [`ls: cannot access 'ledger-${i}.dat'`],
    }),
  },
  {
    name: 'tree',
    size: 900,
    usual: (i, random) =>
      `${i % 12 === 0 ? '├── ' : '│   ├── '}${word(random)}-${i}${i % 12 === 0 ? '' : '.ts'}`,
    odd: (i) => ({
      text: `│   ├── vault-${i}  [error opening dir]`,
      cause: [`vault-${i}  [error opening dir]`],
    }),
  },
  {
    name: 'du',
    size: 1_000,
    usual: (i, random) => `${random(99_999)}\t./data/${word(random)}/${hex(random, 6)}`,
    odd: (i) => ({
      text: `du: cannot read directory './data/pg-${i}': Permission denied`,
      cause: [`cannot read directory './data/pg-${i}'`],
    }),
  },
  {
    name: 'grep',
    size: 900,
    usual: (i, random) =>
      `src/${word(random)}/${word(random)}.ts:${i}:  const total = ${word(random)}(${random(90)});`,
    odd: (i) => ({
      text: `grep: src/locked-${i}.ts: Permission denied`,
      cause: [`grep: src/locked-${i}.ts: Permission denied`],
    }),
  },
  {
    name: 'grep for errors',
    size: 900,
    usual: (i, random) =>
      `src/${word(random)}/${word(random)}.ts:${i}:    throw new ${word(random)}Error('${word(random)} failed');`,
    odd: (i) => ({
      text: `rg: ./data/blob-${i}: stream did not contain valid UTF-8`,
      cause: [`./data/blob-${i}: stream did not contain`],
    }),
  },
  {
    name: 'sources, one after another',
    size: 400,
    usual: (i, random) =>
      `export function ${word(random)}${i}(input: number): number {\n  const total = input + ${random(90)};\n  return total;\n}\n`,
    odd: (i) => ({
      text: `cat: src/rounding-${i}.ts: No such file or directory`,
      cause: [`cat: src/rounding-${i}.ts: No such file`],
    }),
  },
  {
    name: 'a diff that does not apply',
    size: 120,
    usual: (i, random) =>
      `diff --git a/src/${word(random)}${i}.ts b/src/${word(random)}${i}.ts\nindex ${hex(random, 7)}..${hex(random, 7)} 100644\n--- a/src/m${i}.ts\n+++ b/src/m${i}.ts\n@@ -${i + 1},3 +${i + 1},3 @@ export class ${word(random)} {\n unchanged\n-  old(${i});\n+  new(${i});`,
    odd: (i) => ({
      text: `error: patch failed: src/ledger.ts:${i}`,
      cause: [`patch failed: src/ledger.ts:${i}`],
    }),
  },
  {
    name: 'a page of results',
    size: 500,
    usual: (i, random) =>
      `<tr><td>${word(random)} ${i}</td><td class="ok">passed</td><td>${random(90)} ms</td></tr>`,
    odd: (i) => ({
      text: `<tr><td>ledger ${i}</td><td class="bad">failed: shard ${i} is read-only</td><td>1 ms</td></tr>`,
      cause: [`failed: shard ${i} is read-only`],
    }),
    join: (records) =>
      `<!doctype html><html><head><title>Checks</title></head><body><h1>Checks</h1><table><tr><th>check</th><th>result</th><th>time</th></tr>\n${records.join('\n')}\n</table></body></html>`,
    isWhole: true,
  },
  {
    name: 'notes in prose',
    size: 300,
    usual: (i, random) =>
      `On day ${i} the ${word(random)} team moved the ${word(random)} to the new hall and wrote down what it weighed.`,
    odd: (i) => ({
      text: `The crane broke on day ${i}, and two crates of invoices were lost.`,
      cause: [`The crane broke on day ${i}`],
    }),
  },
  {
    name: 'npm ls',
    size: 800,
    usual: (i, random) =>
      `${i % 7 ? '│ ' : ''}├── @shop/${word(random)}-${i}@${random(9)}.${random(20)}.${random(9)}`,
    odd: (i) => ({
      text: `│ ├── UNMET DEPENDENCY @shop/rounding-${i}@^2.0.0`,
      cause: [`UNMET DEPENDENCY @shop/rounding-${i}`],
    }),
  },
  {
    name: 'git status of many',
    size: 700,
    usual: (i, random) => ` M src/${word(random)}/${word(random)}-${i}.ts`,
    odd: (i) => ({ text: `UU src/ledger/conflict-${i}.ts`, cause: [`UU src/ledger/conflict-${i}.ts`] }),
  },
];
