// @module-tag long
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '@spillway/testing';
import { program, runProgram } from './run-program.js';

/** No request is sent to it. */
const server = { url: 'http://127.0.0.1:9', key: 'sw_none' };
let folder: string;
let checkout: string;

/** A folder that is a checkout for `up`, whose start script says where and with what it runs, and ends as it is told. */
function makeCheckout(): void {
  mkdirSync(join(checkout, 'libs', 'deep'), { recursive: true });
  mkdirSync(join(checkout, 'node_modules'));
  const scripts = { start: 'node start.js' };
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ name: 'spillway', scripts }));
  writeFileSync(
    join(checkout, 'start.js'),
    // It says that it is started when a signal no longer ends it at once.
    `const stop = () => setTimeout(() => { console.log('stopped'); process.exit(0); }, 300);
    process.on('SIGTERM', stop).on('SIGINT', stop);
    console.log('started in ' + process.cwd() + ' with ' + process.env.API_PORT);
    if (process.env.ENDS_WITH) process.exit(Number(process.env.ENDS_WITH));
    setInterval(() => undefined, 1000);`,
  );
}

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'spillway-up-')));
  checkout = join(folder, 'checkout');
  mkdirSync(checkout);
  makeCheckout();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('up', () => {
  test('runs npm start in the checkout that the folder is in, and ends as it ends', async () => {
    const env = { API_PORT: '4711', ENDS_WITH: '7', HOME: folder };
    const { code, stdout } = await runProgram(server, ['up', '--dir', join(checkout, 'libs', 'deep')], env);
    expect(code).toBe(7);
    expect(stdout).toContain(`started in ${checkout} with 4711`);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'stops what it started after %s, and waits for it',
    async (signal) => {
      const env = { PATH: process.env.PATH!, HOME: folder };
      const child = spawn(process.execPath, [program, 'up', '--dir', checkout], { env });
      try {
        let printed = '';
        child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
        await until('it is started', () => Promise.resolve(printed.includes('started in')));
        child.kill(signal);
        const [code] = (await once(child, 'close')) as [number | null];
        expect(printed).toContain('stopped');
        expect(code).toBe(0);
      } finally {
        child.kill('SIGKILL');
      }
    },
  );

  test('finds the repository itself', () => {
    const { name, scripts } = JSON.parse(
      readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'),
    ) as { name: string; scripts: Record<string, string> };
    expect([name, typeof scripts.start]).toEqual(['spillway', 'string']);
  });

  test('with --docker runs Compose there, and builds the images', async () => {
    const docker = join(folder, 'bin', 'docker');
    mkdirSync(dirname(docker));
    writeFileSync(docker, '#!/bin/sh\necho "$PWD: $*"\n');
    chmodSync(docker, 0o755);
    const { code, stdout } = await runProgram(server, ['up', '--docker', '--dir', checkout], {
      PATH: `${dirname(docker)}:${process.env.PATH!}`,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${checkout}: compose up --build\n` });
  });

  test('without Docker, without a checkout or without its packages says what to do', async () => {
    const missing = await runProgram(server, ['up', '--docker', '--dir', checkout], { PATH: folder });
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('The program docker was not found. Install Docker');
    const nowhere = await runProgram(server, ['up', '--dir', folder]);
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toContain('Clone its repository, run "npm ci" in it');
    rmSync(join(checkout, 'node_modules'), { recursive: true });
    const bare = await runProgram(server, ['up', '--dir', checkout]);
    expect(bare.code).toBe(1);
    expect(bare.stderr).toContain('has no node_modules. Run "npm ci" there');
    expect((await runProgram(server, ['up', '--json'])).stderr).toContain('up has no --json');
  });
});
