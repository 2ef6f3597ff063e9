import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { staleFiles } from '../generated-files.js';
import { runCommand } from '../run-command.js';

/** Generates OpenAPI and the typed client again in a temporary folder and compares them with what is checked in. */
export async function checkGeneratedClient(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-generated-'));
  const [document, schema] = [join(folder, 'openapi.json'), join(folder, 'schema.ts')];
  try {
    for (const command of [
      ['node', 'apps/api/dist/write-openapi.js', document],
      ['openapi-typescript', document, '-o', schema],
    ]) {
      const { ok, output } = await runCommand(command);
      if (!ok) return [output];
    }
    const files = [
      { path: 'libs/client/openapi.json', text: await readFile(document, 'utf8') },
      { path: 'libs/client/src/schema.ts', text: await readFile(schema, 'utf8') },
    ];
    return await staleFiles(files, 'npm run generate');
  } finally {
    await rm(folder, { recursive: true });
  }
}
