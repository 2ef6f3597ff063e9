import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../repository.js';

/** Of the SDKs of AWS and OpenTelemetry, as docs/configuration.md and docs/operations/guide.md have them. */
const ofSdks = [
  ...['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS'],
  ...['OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_EXPORTER_OTLP_COMPRESSION', 'OTEL_EXPORTER_OTLP_PROTOCOL'],
  ...['OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'],
  'OTEL_BSP_SCHEDULE_DELAY',
];

/** Variables that a program reads by itself or by an SDK of it, beside those of env.ts. */
const ofOthers: Record<string, string[]> = {
  api: ['API_WORKERS', ...ofSdks],
  worker: ofSdks,
  migrate: ['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'MIGRATION_WAIT_MS', 'MIGRATION_EVENT_EPOCH'],
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
