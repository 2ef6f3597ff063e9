// @module-tag long
import { apiOf } from '@spillway/testing';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installFramework, maxInstallMs, missingFramework } from './frameworks/install-framework.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { program } from '../cli/run-program.js';

let stack: BorrowedStack;
let folder: string;
beforeAll(async () => {
  stack = await borrowedStack('readers');
  await apiOf(stack).append('work', { role: 'user', content: 'The release is called Walrus.' });
  folder = await mkdtemp(join(tmpdir(), 'spillway-mcp-'));
});
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true });
});

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program of a framework. Its files of the user are in the folder of this test. */
async function run(framework: string, bin: string, args: string[]): Promise<Run> {
  const path = join(await installFramework(framework), 'node_modules/.bin', bin);
  const env = { PATH: process.env.PATH, HOME: folder };
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...args], { env, maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('the inspector of the MCP project', () => {
  let missing: string | null;
  beforeAll(async () => {
    missing = await missingFramework('mcp-inspector');
  }, maxInstallMs);

  const http = (era: string) => [
    ...[`${stack.url}/mcp`, '--transport', 'http', '--protocol-era', era],
    ...['--header', `Authorization: Bearer ${stack.key}`],
  ];
  const transports = [
    ['HTTP, today', () => http('modern')],
    ['HTTP, as before', () => http('legacy')],
    [
      'stdio',
      () => [
        ...['-e', `SPILLWAY_URL=${stack.url}`, '-e', `SPILLWAY_KEY=${stack.key}`],
        ...['--transport', 'stdio', process.execPath, program, 'mcp'],
      ],
    ],
  ] as const;

  describe.each(transports)('over %s', (_name, target) => {
    const ask = (method: string, ...more: string[]) =>
      run('mcp-inspector', 'mcp-inspector', [
        ...['--cli', '--format', 'json', '--stored-auth-only', '--method', method, ...more],
        ...target(),
      ]);

    test('finds nothing to object to in the schemas of the tools', async ({ skip }) => {
      if (missing) skip(missing);
      const { code, stdout, stderr } = await ask('tools/list', '--strict');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { tools } = (JSON.parse(stdout) as { result: { tools: Tool[] } }).result;
      const textAlone = ['read_output', 'read_message'];
      for (const { name, outputSchema, annotations } of tools) {
        const changes = name === 'keep' || name === 'release';
        expect(outputSchema === undefined, name).toBe(textAlone.includes(name));
        expect(annotations, name).toEqual({
          ...{ readOnlyHint: !changes, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        });
      }
      expect(tools).toHaveLength(9);
    });

    test('calls a tool and is answered in text and as data', async ({ skip }) => {
      if (missing) skip(missing);
      const args = JSON.stringify({ thread_id: 'work', q: 'walrus' });
      const { code, stdout } = await ask(
        'tools/call',
        ...['--tool-name', 'search_history', '--tool-args-json', args],
      );
      expect(code).toBe(0);
      expect((JSON.parse(stdout) as { result: unknown }).result).toMatchObject({
        content: [{ type: 'text', text: expect.stringContaining('Walrus') as string }],
        structuredContent: {
          hits: [{ seq: 1, windows: [{ line: 1, text: 'The release is called Walrus.' }] }],
        },
      });
    });

    test.for([
      ['resources/list', 'resources'],
      ['prompts/list', 'prompts'],
    ] as const)('is told that there is nothing in %s', async ([method, name], { skip }) => {
      if (missing) skip(missing);
      const { code, stdout } = await ask(method);
      expect({ code, ...(JSON.parse(stdout) as object) }).toEqual({ code: 0, result: { [name]: [] } });
    });
  });

  test('says that a key is needed, and asks nobody to sign in', async ({ skip }) => {
    if (missing) skip(missing);
    const target = [`${stack.url}/mcp`, '--transport', 'http', '--header', 'Authorization: Bearer sw_wrong'];
    const { code, stderr } = await run('mcp-inspector', 'mcp-inspector', [
      ...['--cli', '--format', 'json', '--stored-auth-only', '--method', 'tools/list', ...target],
    ]);
    expect(code).not.toBe(0);
    expect(stderr).toContain('The API key is unknown, expired or revoked.');
  });
});

interface Tool {
  name: string;
  outputSchema?: object;
  annotations?: object;
}

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

/** Why a check of the suite does not apply. Every other one has to pass. */
const inapplicable: { reason: string; scenario: RegExp; message: RegExp }[] = [
  {
    reason: 'It calls a tool that the suite wants a server to have for it.',
    scenario: /./,
    message:
      /No tool is named "test_|exposes no tool with x-mcp-header|diagnostic tool 'test_\w+'|Tool 'json_schema_2020_12_tool' not found/,
  },
  {
    reason: 'It continues after such a tool.',
    scenario: /^input-required-result-(multi-round|tampered-state)$/,
    message: /^Expected InputRequiredResult|^Prerequisite failed: could not get initial InputRequiredResult/,
  },
  {
    reason: 'There are no prompts, resources, completions and log levels, and the server declares none.',
    scenario:
      /^(prompts|resources|completion|logging|caching|input-required-result-non-tool|tools-call-with-log)/,
    message: /Method not found/,
  },
  {
    reason: 'There is nothing to subscribe to: the tools of a key do not change (ADR 78).',
    scenario: /^server-stateless$/,
    message:
      /^Expected first frame method to be 'notifications\/subscr|^subscriptions\/listen stream carried no/,
  },
];

describe('the conformance suite of the MCP project', () => {
  let missing: string | null;
  let door: Server;
  beforeAll(async () => {
    missing = await missingFramework('mcp-conformance');
    door = await withKey(stack);
  }, maxInstallMs);
  afterAll(() => door?.close());

  test.for([
    ['2026-07-28', ['--requirements', '2026-07-28'], 36],
    ['2025-11-25', ['--suite', 'active', '--spec-version', '2025-11-25'], 6],
  ] as const)(
    'has no objection to the server by the version %s',
    async ([version, suite, atLeast], { skip }) => {
      if (missing) skip(missing);
      const { port } = door.address() as AddressInfo;
      const results = join(folder, version);
      await run('mcp-conformance', 'conformance', [
        ...['server', '--url', `http://localhost:${port}/mcp`, ...suite, '-o', results],
      ]);
      const passed = new Set<string>();
      const objections: string[] = [];
      for (const name of await readdir(results)) {
        const scenario = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(name)![1]!;
        // An extension, which the server does not declare.
        if (scenario.startsWith('tasks-')) continue;
        const checks = JSON.parse(await readFile(join(results, name, 'checks.json'), 'utf8')) as Check[];
        for (const { id, status, errorMessage = '' } of checks) {
          if (status === 'SUCCESS') passed.add(id);
          const applies = !inapplicable.some(
            (one) => one.scenario.test(scenario) && one.message.test(errorMessage),
          );
          if (status === 'FAILURE' && applies) objections.push(`${scenario}, ${id}: ${errorMessage}`);
        }
      }
      expect(objections).toEqual([]);
      expect([...passed]).toEqual(
        expect.arrayContaining(['tools-list', 'wire-schema-valid', 'localhost-host-rebinding-rejected']),
      );
      expect(passed.size).toBeGreaterThanOrEqual(atLeast);
    },
  );
});

/** The suite sends no key: a proxy that adds it, and changes nothing else. */
async function withKey({ url, key }: BorrowedStack): Promise<Server> {
  const server = createServer((from, to) => {
    const headers = { ...from.headers, authorization: `Bearer ${key}` };
    const sent = request(`${url}${from.url}`, { method: from.method, headers }, (answer) => {
      to.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(to);
    });
    sent.on('error', () => to.destroy());
    to.on('close', () => sent.destroy());
    from.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
