import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../repository.js';

/** Variables that a program reads by itself or by an SDK of it, beside those of env.ts. */
const ofOthers: Record<string, string[]> = {
  api: [
    'API_WORKERS',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
  ],
  worker: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  migrate: ['DATABASE_URL', 'MIGRATION_DATABASE_URL'],
  console: ['API_URL', 'API_PUBLIC_URL', 'CONSOLE_SESSION_SECRET'],
};

/** The variables that each container of the chart reads, by the name of the container. */
export async function knownVariables(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const source = await readFile(join(repository, 'libs/service/src/env.ts'), 'utf8');
  const schema = /^const variables = z\.object\(\{$(.*?)^\}\);$/ms.exec(source)?.[1];
  const ofEnv = [...(schema ?? '').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name!);
  if (ofEnv.length < 20)
    throw new Error('libs/service/src/env.ts no longer lists its variables as expected.');
  return new Map(
    Object.entries(ofOthers).map(([program, others]) => [
      program,
      new Set(program === 'api' || program === 'worker' ? [...ofEnv, ...others] : others),
    ]),
  );
}
