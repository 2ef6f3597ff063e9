import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../check/run-check.js';
import { repository } from '../repository.js';
import { documentOf, type Sabotaged } from './document.js';
import type { Guard } from './guard.js';
import { guards } from './guards.js';
import { complaintOf } from './places.js';
import { runTest } from './run-test.js';
import { makeScratch, type Scratch } from './scratch.js';

/**
 * `npm run sabotage`: takes guards away one by one and requires their tests to notice. `--only` takes those whose
 * name, or whose test's file, holds a text.
 */
async function main(only: string | undefined): Promise<boolean> {
  const chosen = guards.filter(
    ({ name, test }) => only === undefined || name.includes(only) || test.file.includes(only),
  );
  const complaints = (await Promise.all(chosen.map((guard) => complaintOf(repository, guard)))).filter(
    (complaint) => complaint !== null,
  );
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  const scratch = await makeScratch(repository);
  try {
    await requirePassing(scratch, chosen);
    const rows: Sabotaged[] = [];
    for (const guard of chosen) {
      const { file, name } = guard.test;
      const result = await scratch.without(guard, () => runTest(scratch.root, file, name));
      console.log(
        `${result === 'failed' ? 'caught ' : 'MISSED '} ${guard.name} (${file}: ${name}: ${result})`,
      );
      rows.push({ guard, result });
    }
    if (only === undefined) await writeDocument(rows);
    const caught = rows.filter(({ result }) => result === 'failed').length;
    console.log(`${caught} of ${rows.length} caught`);
    return caught === rows.length;
  } finally {
    await scratch.remove();
  }
}

/** A test that fails anyway proves nothing. */
async function requirePassing(scratch: Scratch, chosen: readonly Guard[]): Promise<void> {
  const tests = new Map(chosen.map(({ test }) => [`${test.file}: ${test.name}`, test]));
  for (const [title, { file, name }] of tests) {
    const result = await runTest(scratch.root, file, name);
    console.log(`${result.padEnd(7)} ${title}`);
    if (result !== 'passed') throw new Error(`With every guard in place, this test ${result}: ${title}`);
  }
}

async function writeDocument(rows: readonly Sabotaged[]): Promise<void> {
  await writeFile(join(repository, 'docs/sabotage.md'), documentOf(rows));
  const { ok, output } = await runCommand(['prettier', '--write', 'docs/sabotage.md']);
  if (!ok) throw new Error(output);
}

const { values } = parseArgs({ options: { only: { type: 'string' } } });
process.exitCode = (await main(values.only)) ? 0 : 1;
