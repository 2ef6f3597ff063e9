import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { loopback, type RunningPostgres, startPostgres, startRedis } from '@spillway/embedded';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { repository } from '../repository.js';

const run = promisify(execFile);
const program = join(repository, 'tools/dist/start/main.js');

let home = '';
let env: NodeJS.ProcessEnv = {};

interface Ended {
  code: number | null;
  printed: string;
  complaints: string[];
}

/** Runs the real command; `whenSaid` is called with what it printed so far each time it prints. */
async function start(
  overrides: NodeJS.ProcessEnv = {},
  whenSaid: (printed: string, child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, [program], { env: { ...env, ...overrides }, cwd: home });
  let printed = '';
  let complained = '';
  child.stdout.on('data', (chunk: Buffer) => whenSaid((printed += chunk.toString()), child));
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, printed, complaints: complained.split('\n').filter(Boolean) };
}

async function leftRunning(): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'args=']);
  return stdout.split('\n').filter((line) => line.includes(home));
}

/** Signs in to the console, which asks the API, and returns where it leads. */
async function signIn(printed: string): Promise<string | null> {
  const url = `${/Console +(\S+)/.exec(printed)![1]}/login`;
  const page = await (await fetch(url)).text();
  const form = new FormData();
  for (const [, name, value = ''] of page.matchAll(
    /<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g,
  ))
    form.append(name!, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
  form.append('key', /sw_[0-9a-f]{40}/.exec(printed)![0]);
  const headers = { origin: new URL(url).origin };
  const answer = await fetch(url, { method: 'POST', body: form, headers, redirect: 'manual' });
  return answer.headers.get('location');
}

beforeEach(async () => {
  home = await mkdtemp('/tmp/start-test-');
  await run('chmod', ['755', home]);
  const ports = { API_PORT: '0', CONSOLE_PORT: '0', WORKER_PORT: '0' };
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  env = { PATH, HOME, NODE_COMPILE_CACHE, ...ports, SPILLWAY_DATA_DIR: join(home, 'data') };
});
afterEach(async () => {
  expect(await leftRunning()).toEqual([]);
  await rm(home, { recursive: true, force: true });
});

describe('npm start, when it cannot', { timeout: 60_000 }, () => {
  let postgres: RunningPostgres;
  beforeAll(async () => {
    postgres = await startPostgres({ temporary: true, durable: false });
  });
  afterAll(() => postgres.stop());

  const refused = async (overrides: NodeJS.ProcessEnv, ...says: (string | RegExp)[]): Promise<void> => {
    const { code, complaints } = await start(overrides);
    expect(complaints).toHaveLength(1);
    for (const words of says) expect(complaints[0]).toMatch(words);
    expect(code).toBe(1);
  };

  it.each([
    ['a port that is no port', { API_PORT: 'abc' }, ['API_PORT must be a port number']],
    [
      'a database URL that is none',
      { DATABASE_URL: 'localhost' },
      ['DATABASE_URL must look like postgresql://'],
    ],
    ['a Redis URL that is none', { REDIS_URL: 'http://x' }, ['REDIS_URL must look like redis://']],
    [
      'a short key',
      { SPILLWAY_BOOTSTRAP_KEY: 'short' },
      ['SPILLWAY_BOOTSTRAP_KEY must have at least 32 characters and has 5'],
    ],
    [
      'no database there',
      { DATABASE_URL: 'postgresql://a:hush@127.0.0.1:1/x' },
      ['No Postgres answers at 127.0.0.1:1', 'DATABASE_URL'],
    ],
    [
      'no Redis there',
      { REDIS_URL: 'redis://127.0.0.1:1' },
      ['No Redis answers at 127.0.0.1:1', 'REDIS_URL'],
    ],
    ['a Redis program that is none', { REDIS_SERVER_BIN: '/nope' }, ['REDIS_SERVER_BIN is /nope']],
    [
      'a data folder that cannot be made',
      { SPILLWAY_DATA_DIR: '/proc/spillway' },
      ['Cannot use the data folder /proc/spillway', 'SPILLWAY_DATA_DIR'],
    ],
    [
      'a host that is none',
      { SPILLWAY_HOST: 'http://127.0.0.1' },
      ['SPILLWAY_HOST must be an IP address or a host name'],
    ],
  ])('says what to do in one line, and leaves nothing running: %s', async (_, overrides, says) => {
    await refused(overrides, ...says);
  });

  // Postgres, Redis and all apps start before one of them refuses it.
  it(
    'says what to do in one line, and leaves nothing running: a config that the apps refuse',
    { tags: 'long' },
    async () => {
      await refused({ SPILLWAY_CONFIG: '/nope.yaml' }, 'did not start', '/nope.yaml', /log: .*\.log\)/);
    },
  );

  it('says what it is on --help, refuses other arguments, and starts nothing', async () => {
    const ask = (...args: string[]) =>
      run(process.execPath, [program, ...args], { env, cwd: home, timeout: 30_000, killSignal: 'SIGINT' });
    const { stdout } = await ask('--help');
    expect(stdout).toMatch(/^Usage: npm start \[options\]/);
    expect(stdout).not.toContain('Starting');
    await expect(ask('--port', '5000')).rejects.toThrow("unknown option '--port'");
  });

  it('names the port that is taken and the setting that moves it', async () => {
    const other = createServer().listen(0, loopback);
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await refused({ CONSOLE_PORT: `${port}` }, `Port ${port} (console) is already in use`, 'CONSOLE_PORT');
    other.close();
  });

  it('does not repeat the password it was given', async () => {
    const wrong = new URL(postgres.url);
    wrong.password = 'hush';
    const { code, complaints } = await start({ DATABASE_URL: wrong.href });
    expect([code, complaints.length]).toEqual([1, 1]);
    expect(complaints[0]).toMatch(/refused the user or password/);
    expect(complaints[0]).not.toContain('hush');
  });

  it('says that the database does not exist', async () => {
    await refused(
      { DATABASE_URL: postgres.url.replace(/\w+$/, 'nosuch') },
      'has no database nosuch: create it',
    );
  });

  it('says that Redis refused the password', async () => {
    const redis = await startRedis();
    if (redis.url === null) throw new Error(redis.reason);
    const client = new Redis(redis.url);
    await client.config('SET', 'requirepass', 'right');
    client.disconnect();
    await refused(
      { REDIS_URL: redis.url.replace('//', '//:wrong@') },
      'refused the user or password',
      'REDIS_URL',
    );
    await redis.stop();
  });

  it('refuses a data folder that is a file', async () => {
    await writeFile(join(home, 'data'), '');
    await refused({}, 'Cannot use the data folder');
  });

  it('refuses an API key that was cut short', { tags: 'long' }, async () => {
    await mkdir(join(home, 'data'));
    await writeFile(join(home, 'data', 'api-key'), '');
    await refused({}, 'api-key is empty or cut short: restore it, or delete it');
  });
});

describe('npm start', { timeout: 120_000 }, () => {
  const isUp = (printed: string): boolean => printed.includes('Ctrl-C stops it');
  const signalWhen =
    (condition: (printed: string) => boolean, signal: NodeJS.Signals) =>
    (printed: string, child: ChildProcess): void => {
      if (condition(printed) && !child.killed) child.kill(signal);
    };

  it('starts everything, refuses a second copy beside it, keeps key and data, and ends in order', async () => {
    let second: Promise<Ended> | undefined;
    const first = await start({}, (printed, child) => {
      if (!isUp(printed) || second) return;
      second = start();
      void second.then(() => child.kill('SIGTERM'));
    });
    expect(await second).toMatchObject({
      code: 1,
      complaints: [expect.stringContaining('Spillway already runs on')],
    });
    expect(first).toMatchObject({ code: 0, complaints: [] });
    expect(first.printed).toMatch(/sw_[0-9a-f]{40}/);
    for (const secret of ['api-key', 'console-secret', 'secret-key', 'redis-password', 'database-password']) {
      expect((await stat(join(home, 'data', secret))).mode & 0o777, secret).toBe(0o600);
    }

    const again = await start({}, signalWhen(isUp, 'SIGINT'));
    expect(again.code).toBe(0);
    expect(again.printed).not.toContain('migration');
    expect(/sw_[0-9a-f]{40}/.exec(again.printed)?.[0]).toBe(/sw_[0-9a-f]{40}/.exec(first.printed)?.[0]);
  });

  it.each(['Starting Postgres', 'Starting Redis', 'Starting api'])(
    'can be interrupted at "%s"',
    { tags: 'long' },
    async (step) => {
      const { code, complaints } = await start(
        {},
        signalWhen((printed) => printed.includes(step), 'SIGINT'),
      );
      expect({ code, complaints }).toEqual({ code: 130, complaints: [] });
    },
  );

  // Linux has all of 127.0.0.0/8; another system has its loopback at one address.
  it.runIf(process.platform === 'linux')(
    'asks API and worker at the address where they listen, and so does the console',
    { tags: 'long' },
    async () => {
      let signedIn: Promise<string | null> | undefined;
      const { code, printed, complaints } = await start({ SPILLWAY_HOST: '127.0.0.2' }, (soFar, child) => {
        if (!isUp(soFar) || signedIn) return;
        signedIn = signIn(soFar).finally(() => child.kill('SIGTERM'));
      });
      expect({ code, complaints }).toEqual({ code: 0, complaints: [] });
      expect(printed).toMatch(/API {7}http:\/\/127\.0\.0\.2:\d+/);
      expect(await signedIn).toBe('/');
    },
  );

  it('leaves nothing running when it is killed', { tags: 'long' }, async () => {
    await start({}, signalWhen(isUp, 'SIGKILL'));
    for (let tries = 0; (await leftRunning()).length > 0 && tries < 100; tries += 1) await sleep(100);
    expect(await leftRunning()).toEqual([]);
  });
});
