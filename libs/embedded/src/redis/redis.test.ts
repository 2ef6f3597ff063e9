import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loopback } from '../processes/port.js';
import { startRedis } from './redis.js';

const run = promisify(execFile);

async function ask(url: string, command: string): Promise<string> {
  const socket = connect({ port: Number(new URL(url).port), host: loopback });
  socket.end(`${command}\r\n`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString();
}

describe('startRedis', { timeout: 200_000 }, () => {
  afterEach(() => vi.unstubAllEnvs());

  it('starts a Redis that keeps nothing and never drops a job, and leaves nothing behind', async () => {
    const redis = await startRedis();
    if (redis.url === null) throw new Error(redis.reason);
    const { port } = new URL(redis.url);
    expect(await ask(redis.url, 'CONFIG GET maxmemory-policy')).toContain('noeviction');
    expect(await ask(redis.url, 'CONFIG GET appendonly')).toContain('no');
    await redis.stop();
    const { stdout } = await run('ps', ['-eo', 'args=']);
    expect(stdout).not.toContain(`${loopback}:${port}`);
  });

  it('says how to get a Redis where there is none', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const redis = await startRedis({ install: false });
    expect(redis).toMatchObject({ url: null, reason: expect.stringContaining('or set REDIS_URL') as string });
  });

  it('refuses a REDIS_SERVER_BIN that is not a program', async () => {
    vi.stubEnv('REDIS_SERVER_BIN', '/etc/passwd');
    await expect(startRedis()).rejects.toThrow('REDIS_SERVER_BIN is /etc/passwd, which is not a program');
  });

  it('gives the reason when the program does not serve', async () => {
    vi.stubEnv('REDIS_SERVER_BIN', '/bin/false');
    await expect(startRedis()).rejects.toThrow('Redis did not start (exit code 1)');
  });
});
