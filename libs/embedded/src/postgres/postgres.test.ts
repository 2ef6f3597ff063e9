import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, loopback } from '../processes/port.js';
import { startPostgres } from './postgres.js';

const run = promisify(execFile);
const asRoot = process.getuid?.() === 0;

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function processesOn(folder: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,args=']);
  return stdout.split('\n').filter((line) => line.includes(folder));
}

describe('startPostgres', { timeout: 60_000 }, () => {
  let home = '';
  beforeAll(async () => {
    home = await mkdtemp('/tmp/embedded-test-');
    await run('chmod', ['755', home]);
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it('leaves neither files nor processes of a temporary server', async () => {
    const server = await startPostgres({ temporary: true, durable: false });
    expect(await query(server.url, 'SHOW fsync')).toEqual([{ fsync: 'off' }]);
    await server.stop();
    await expect(stat(server.folder)).rejects.toThrow('ENOENT');
    expect(await processesOn(server.folder)).toEqual([]);
  });

  it('keeps data, password and durability across restarts, and refuses a second copy beside the first', async () => {
    const dataDir = join(home, 'lasting');
    const first = await startPostgres({ dataDir, durable: true });
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await expect(startPostgres({ dataDir, durable: true })).rejects.toThrow(
      `in use by another Spillway (process ${process.pid}): stop it, or set SPILLWAY_DATA_DIR`,
    );
    expect(await query(first.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await first.stop();

    const second = await startPostgres({ dataDir, durable: true });
    expect(await query(second.url, 'SELECT answer, current_setting($$fsync$$) AS fsync FROM kept')).toEqual([
      { answer: 42, fsync: 'on' },
    ]);
    expect((await stat(join(second.folder, 'password'))).mode & 0o777).toBe(0o600);
    await second.stop();
  });

  it('refuses a wrong password', async () => {
    const server = await startPostgres({ temporary: true, durable: false });
    const wrong = new URL(server.url);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    await server.stop();
  });

  it('starts again after everything was killed, even when the old process number belongs to someone else', async () => {
    const dataDir = join(home, 'crashed');
    const module = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
    const script = `import { startPostgres } from ${JSON.stringify(module)};
      await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: true });
      console.log('up'); setInterval(() => {}, 1000);`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = (await Promise.race([once(starter.stdout, 'data'), once(starter, 'exit')])) as [
      unknown,
    ];
    expect(String(printed)).toBe('up\n');
    const file = join(dataDir, 'postgres', 'data', 'postmaster.pid');
    const left = await readFile(file, 'utf8');
    process.kill(Number(left.split('\n')[0]), 'SIGKILL');
    starter.kill('SIGKILL');
    await sleep(300);
    await writeFile(file, left.replace(/^\d+/, `${process.pid}`));

    const server = await startPostgres({ dataDir, durable: true });
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('ends when the process that started it is killed', async () => {
    const dataDir = join(home, 'orphan');
    const module = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
    const script = `import { startPostgres } from ${JSON.stringify(module)};
      await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: true });
      process.kill(process.pid, 'SIGKILL');`;
    const [, signal] = (await once(
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }),
      'exit',
    )) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    // Restarted at once: it waits until the old server has ended.
    const server = await startPostgres({ dataDir, durable: true });
    await server.stop();
    expect(await processesOn(dataDir)).toEqual([]);
  });

  it('says which port is taken, and leaves nothing behind', async () => {
    const port = await freePort();
    const other = createServer().listen(port, loopback);
    await once(other, 'listening');
    await expect(startPostgres({ dataDir: join(home, 'taken'), durable: false, port })).rejects.toThrow(
      `Port ${port} (Postgres) is already in use`,
    );
    other.close();
    expect(await processesOn(join(home, 'taken'))).toEqual([]);
  });

  it('can be interrupted while it starts', async () => {
    const interrupt = new AbortController();
    setTimeout(() => interrupt.abort(), 100);
    const dataDir = join(home, 'interrupted');
    await expect(startPostgres({ dataDir, durable: false, signal: interrupt.signal })).rejects.toThrow(
      /abort/i,
    );
    expect(await processesOn(dataDir)).toEqual([]);
  });

  it.runIf(asRoot)(
    'keeps its data where its user can reach it when the data folder is closed, and says so',
    async () => {
      const closed = join(home, 'closed');
      await mkdir(closed, { mode: 0o700 });
      const dataDir = join(closed, '.spillway');
      const printed: string[] = [];
      const start = (): ReturnType<typeof startPostgres> =>
        startPostgres({ dataDir, durable: true, say: (line) => printed.push(line) });
      const first = await start();
      expect(first.folder).toMatch(/^\/var\/lib\/spillway-[0-9a-f]{12}$/);
      expect(printed).toEqual([expect.stringContaining(`cannot enter ${dataDir}`)]);
      await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS answer');
      await first.stop();
      const second = await start();
      expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 7 }]);
      await second.stop();
      await rm(second.folder, { recursive: true });
    },
  );
});
