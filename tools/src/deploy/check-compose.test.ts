import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { faultsOfCompose } from './check-compose.js';
import { knownVariables } from './known-variables.js';

describe('the check of docker-compose.yml', async () => {
  const text = await readFile(new URL('../../../docker-compose.yml', import.meta.url), 'utf8');
  const known = await knownVariables();

  test('finds nothing in it as it is', () => {
    expect(faultsOfCompose(text, known)).toEqual([]);
  });

  test('passes on every variable of docs/configuration.md and of traces, but those that it sets by itself', async () => {
    const page = (name: string) => readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
    const environment = (await page('configuration.md')).split('\n## Policy\n')[0]!;
    const names = [...`${environment}\n${await page('operations/guide.md')}`.matchAll(/^\| `.*$/gm)]
      .flatMap(([row]) => row.split(' | ').slice(0, 2))
      .flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name!));
    expect(names.length).toBeGreaterThan(50);
    const { services } = parse(text, { merge: true }) as {
      services: Record<string, { environment?: object }>;
    };
    const passed = new Set(
      Object.values(services).flatMap((service) => Object.keys(service.environment ?? {})),
    );
    expect(names.filter((name) => !passed.has(name))).toEqual([
      'SPILLWAY_HOST',
      ...['API_PORT', 'CONSOLE_PORT', 'WORKER_PORT'],
      'SPILLWAY_DATA_DIR',
      'SPILLWAY_SECRET_KEY_FILE',
    ]);
  });

  test.each([
    ['a field that Compose does not know', '    healthcheck:', '    healthchecks:', /additional properties/],
    ['a value that Compose does not take', 'restart: unless-stopped', 'restart: [always]', /must be string/],
    [
      'a name of a service that is scaled',
      '  worker:\n',
      '  worker:\n    container_name: worker\n',
      /there cannot be several/,
    ],
    [
      'a port of a service that is scaled',
      '  worker:\n',
      "  worker:\n    ports: ['4002:4002']\n",
      /there cannot be several/,
    ],
    [
      'a variable that no program reads',
      'SPILLWAY_CHAT_MODELS:',
      'SPILLWAY_CHAT_MODEL:',
      /api does not read SPILLWAY_CHAT_MODEL/,
    ],
    [
      'a variable that .env sets and no program gets',
      '  SPILLWAY_RATE_LIMIT:\n',
      '',
      /api does not get SPILLWAY_RATE_LIMIT from \.env[^]*worker does not get SPILLWAY_RATE_LIMIT from \.env/,
    ],
    [
      'a variable that has one value whatever .env says',
      '  SPILLWAY_POOL:\n',
      "  SPILLWAY_POOL: '20'\n",
      /api does not get SPILLWAY_POOL from \.env/,
    ],
    [
      'a Postgres that is healthy while its image prepares it',
      'pg_isready -h 127.0.0.1 -U',
      'pg_isready -U',
      /postgres is healthy before it answers by TCP/,
    ],
    [
      'migrations that fail once and for all',
      'restart: on-failure',
      'init: true',
      /migrate is not started again after a failure/,
    ],
    [
      'a service whose log grows without bound',
      '  postgres:\n    logging: *logging\n',
      '  postgres:\n',
      /the log of postgres grows without bound/,
    ],
    [
      'a console whose clients have one address',
      '${CONSOLE_NETWORK:-172.31.251}.2,${SPILLWAY_TRUSTED_PROXIES:-}',
      '${SPILLWAY_TRUSTED_PROXIES:-}',
      /api does not trust the console/,
    ],
  ])('finds %s', (_what, from, to, complaint) => {
    expect(text).toContain(from);
    expect(faultsOfCompose(text.replace(from, to), known).join('\n')).toMatch(complaint);
  });
});
