import { nodeArguments, nodeEnvironment } from '@spillway/embedded';
import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Whether a file of the build context is left out, as Docker decides: the last pattern that matches it or a parent. */
function isIgnored(path: string, patterns: readonly string[]): boolean {
  const parts = path.split('/');
  const parents = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
  let ignored = false;
  for (const pattern of patterns) {
    const wanted = pattern.replace(/^!/, '').replace(/^\/|\/$/g, '');
    const globs = wanted.startsWith('**/') ? [wanted, wanted.slice(3)] : [wanted];
    if (parents.some((parent) => globs.some((glob) => matchesGlob(parent, glob))))
      ignored = !pattern.startsWith('!');
  }
  return ignored;
}

const secrets = [
  '.env',
  '.env.production',
  'deploy/.env',
  'apps/api/.env.local',
  '.spillway/api-key',
  '.spillway/secret-key',
  'data/api-key',
  'data/console-secret',
  'data/redis-password',
  'data/database-password',
  'tls/server.key',
  'tls/server.pem',
  'client.p12',
  '.aws/credentials',
  '.ssh/id_ed25519',
  '.netrc',
];
const needed = [
  'package.json',
  'package-lock.json',
  'apps/api/src/main.ts',
  'libs/store/src/access/api-keys.ts',
  'libs/service/src/access/keys.ts',
  'apps/console/app/settings/keys/key-form.tsx',
  'prisma/migrations/20261121000000_first/migration.sql',
  'deploy/collect.mjs',
];

describe('A102 images hold no secrets', () => {
  test('files with secrets are not part of the build context', () => {
    const patterns = linesOf('.dockerignore');
    expect(secrets.filter((path) => !isIgnored(path, patterns))).toEqual([]);
  });

  test('what is built is part of the build context', () => {
    const ignored = needed.filter((path) => isIgnored(path, linesOf('.dockerignore')));
    expect(ignored).toEqual([]);
  });

  test('files with secrets are not committed by accident', () => {
    const patterns = linesOf('.gitignore').map((pattern) => `**/${pattern}`);
    for (const path of secrets.filter((one) => /\.env|\.spillway|\.(key|pem|p12)$/.test(one)))
      expect(isIgnored(path, patterns), path).toBe(true);
  });

  test('an image takes what runs out of the build, not the whole of it', () => {
    for (const app of ['api', 'worker', 'console']) {
      const last = readFileSync(`deploy/Dockerfile.${app}`, 'utf8')
        .split(/^FROM /m)
        .at(-1)!;
      const copies = last.split('\n').filter((line) => /^(COPY|ADD)\b/.test(line));
      expect(copies.length, app).toBeGreaterThan(0);
      for (const copy of copies) {
        expect(copy).toMatch(/^COPY --from=build /);
        const [from] = copy
          .split(/\s+/)
          .slice(1)
          .filter((word) => !word.startsWith('--'));
        expect(['/image', '/spillway/apps/console/.next/standalone']).toContain(from);
      }
      expect(last, app).toMatch(/^USER node$/m);
    }
  });

  test('what an image holds is what programs import, and beside it bundles, migrations, the version and two pages', () => {
    const paths = [
      ...readFileSync('deploy/collect.mjs', 'utf8').matchAll(/['`]([\w@${}./-]+\/[\w@${}./-]+)['`]/g),
    ];
    expect(paths.map(([, path]) => path).filter((path) => !/^(@vercel|node:)/.test(path!))).toEqual([
      'apps/${app}/dist/bundle/main.js',
      'libs/blobs/dist/grep/match-worker.js',
      'libs/service/dist/outputs/json-path/evaluate.js',
      'libs/service/dist/outputs/text-work/worker.js',
      'libs/store/dist/migrations/migrate-main.js',
      'apps/${app}/dist/bundle',
      'libs/service/package.json',
      'prisma/migrations',
      'node_modules/swagger-ui-dist',
      'node_modules/@bull-board/ui',
    ]);
  });
});

interface Service {
  environment?: Record<string, string>;
  mem_limit?: string;
  stop_grace_period?: string;
  command?: string[];
}

describe('A103 what compose starts', () => {
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    services: Record<string, Service>;
  };

  test('has a memory limit each', () => {
    for (const [name, { mem_limit: limit }] of Object.entries(services))
      expect(limit, name).toMatch(/^(\d+[mg]|\$\{API_MEMORY:-1g\})$/);
  });

  test('has the time to stop that its programs take', () => {
    for (const name of ['api', 'worker'])
      expect(Number.parseInt(services[name]!.stop_grace_period!, 10), name).toBeGreaterThan(28);
  });

  test('gets the secrets it needs and no others', () => {
    const who = (variable: string | RegExp) =>
      Object.entries(services)
        .filter(([, { environment = {} }]) => Object.keys(environment).some((name) => name.match(variable)))
        .map(([name]) => name);
    expect(who(/^SPILLWAY_BOOTSTRAP_KEY$/)).toEqual(['api']);
    expect(who(/^SPILLWAY_SECRET_KEY$/)).toEqual(['api', 'worker']);
    expect(who(/^MIGRATION_DATABASE_URL$/)).toEqual(['migrate']);
    expect(who(/^CONSOLE_SESSION_SECRET$/)).toEqual(['console']);
  });

  test('reaches Postgres as a role that is not its owner, and Redis with a password that no argument holds', () => {
    const owner = services.postgres!.environment!.POSTGRES_USER;
    for (const name of ['api', 'worker']) {
      const { DATABASE_URL: database, REDIS_URL: redis } = services[name]!.environment!;
      expect(/\/\/(\w+):/.exec(database!)![1]).toBe('spillway_runtime');
      expect(database).not.toContain('POSTGRES_PASSWORD');
      expect(redis).toMatch(/^redis:\/\/:\$\{REDIS_PASSWORD/);
    }
    expect(owner).toBe('spillway');
    const command = services.redis!.command!.join(' ');
    expect(command).toContain('requirepass %s');
    expect(command).toMatch(/"\$\$REDIS_PASSWORD" \| exec redis-server -/);
  });
});

test.each(['api', 'worker'])(
  'the image of the %s has the options and the environment of every installation',
  (app) => {
    const lines = linesOf(`deploy/Dockerfile.${app}`);
    const command = JSON.stringify(['node', ...nodeArguments, `apps/${app}/dist/bundle/main.js`]);
    expect(lines).toContain(`CMD ${command.replaceAll(',', ', ')}`);
    const environment = Object.entries(nodeEnvironment).map(([name, value]) => `${name}=${value}`);
    expect(lines).toContain(`ENV ${environment.join(' ')}`);
  },
);
