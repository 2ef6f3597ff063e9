import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../repository.js';
import { runCommand } from './run-check.js';

/**
 * Generates the checked-in files again in a temporary folder and compares them: a difference means that `npm run
 * generate` was forgotten.
 */
const folder = await mkdtemp(join(tmpdir(), 'spillway-generated-'));
try {
  const document = join(folder, 'openapi.json');
  const schema = join(folder, 'schema.ts');
  for (const command of [
    ['node', 'apps/api/dist/write-openapi.js', document],
    ['openapi-typescript', document, '-o', schema],
  ]) {
    const { ok, output } = await runCommand(command);
    if (!ok) throw new Error(output);
  }
  await same(document, 'libs/client/openapi.json');
  await same(schema, 'libs/client/src/schema.ts');
} finally {
  await rm(folder, { recursive: true });
}

async function same(fresh: string, checkedIn: string): Promise<void> {
  const [a, b] = await Promise.all([readFile(fresh, 'utf8'), readFile(join(repository, checkedIn), 'utf8')]);
  if (a === b) return;
  console.log(`${checkedIn} is stale: run npm run generate`);
  process.exitCode = 1;
}
