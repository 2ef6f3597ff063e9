import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort, loopback } from './port.js';
import { type AppOptions, supervise } from './supervise.js';
import { Teardown } from './teardown.js';

const run = promisify(execFile);

/** Answers its own pid; `GET /die` ends it; takes a moment to shut down. */
const app = `
  const server = require('node:http').createServer((request, response) => {
    if (request.url === '/die') process.exit(3);
    response.end(String(process.pid));
  }).listen(process.env.PORT, '127.0.0.1');
  process.on('SIGTERM', () => setTimeout(() => { console.log('ended in order'); process.exit(0); }, 100));`;

describe('supervise', { timeout: 30_000 }, () => {
  let folder = '';
  let port = 0;
  let printed: string[] = [];
  const options = (code: string): AppOptions => ({
    name: 'fake',
    command: process.execPath,
    args: ['-e', code],
    env: { ...process.env, PORT: `${port}` },
    cwd: folder,
    logFile: join(folder, 'fake.log'),
    probe: `http://${loopback}:${port}/`,
    pauseMs: 100,
    say: (line) => printed.push(line),
  });
  const ask = (path: string): Promise<string> =>
    fetch(`http://${loopback}:${port}${path}`).then(
      (response) => response.text(),
      () => '',
    );
  beforeEach(async () => {
    folder = await mkdtemp('/tmp/supervise-test-');
    port = await freePort();
    printed = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('starts an app again when it dies, says so once, and ends it in order', async () => {
    const running = await supervise(options(app));
    const before = await ask('/');
    await ask('/die');
    let after = '';
    for (let tries = 0; !after && tries < 100; tries += 1) {
      await sleep(100);
      after = await ask('/');
    }
    expect(after).not.toBe(before);
    expect(printed).toEqual([expect.stringContaining('fake ended unexpectedly (exit code 3)')]);
    await running.stop();
    expect(await ask('/')).toBe('');
    expect(await readFile(join(folder, 'fake.log'), 'utf8')).toContain('ended in order');
    expect((await run('ps', ['-eo', 'args='])).stdout).not.toContain(folder);
  });

  it("gives the app's own reason when it does not start", async () => {
    await expect(supervise(options(`throw new TypeError('no such setting')`))).rejects.toThrow(
      /^fake did not start \(exit code 1\): TypeError: no such setting \(log: .*fake\.log\)$/,
    );
  });

  it('ends an app that does not get ready in time', async () => {
    const idle = { ...options(`setInterval(() => {}, 1000)`), readyWithinMs: 500 };
    await expect(supervise(idle)).rejects.toThrow('fake did not get ready in 0.5 s');
  });
});

describe('Teardown', () => {
  it('ends everything in the opposite order, once, whatever fails', async () => {
    const log: string[] = [];
    const teardown = new Teardown((line) => log.push(line));
    teardown.add('first', () => Promise.resolve(void log.push('first')));
    teardown.add('second', () => Promise.reject(new Error('stuck')));
    teardown.add('third', () => Promise.resolve(void log.push('third')));
    await Promise.all([teardown.run(), teardown.run()]);
    expect(log).toEqual(['third', 'Could not stop second: stuck', 'first']);
  });
});
