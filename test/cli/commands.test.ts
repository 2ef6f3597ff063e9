import type { Schemas } from '@spillway/client';
import { apiOf, until, type Api } from '@spillway/testing';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { foldOnce, folding } from '../folding-thread.js';
import { callOf, toolResult } from '../tool-calls.js';
import { inShell, program, runCommand, runProgram, valuesOf, type Ended } from './run-program.js';
import { testFolder } from './test-folder.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
let api: Api;
const folder = testFolder();
let readOnlyKey: string;

const log = Array.from({ length: 3_000 }, (_, i) => `${i + 1}: step ${(i * 7919) % 1000} ok`).join('\n');
const call = callOf('c1', 'sh', { command: 'make all' });
const conversation = [
  { role: 'user', content: 'The release is called Walrus. \u001b[31mBuild\u001b[0m it.' },
  { role: 'assistant', content: 'I build it.', tool_calls: [call] },
  toolResult('c1', log),
];

const run = (...words: string[]): Promise<Ended> => runCommand(stack, words);

beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
  await api.createThread({ id: 'work', model: 'gpt-4o', metadata: { team: 'red' } });
  await api.append('work', ...conversation);
  for (let i = 0; i < 5; i++) {
    await api.createThread({ id: `small-${i}`, metadata: { team: 'blue' } });
    await api.append(`small-${i}`, { role: 'user', content: `Small talk ${i}.` });
  }
  const made = await api.call<Schemas['KeyCreated']>('POST', '/v1/keys', {
    name: 'reader',
    scopes: ['context:read'],
  });
  readOnlyKey = made.body.key;
});

describe('an error is one clear sentence, a next step and a stable exit code', () => {
  test.each([
    ['a key that is none', { key: 'sw_wrong' }, ['threads'], 3, 'unauthorized', 'Set SPILLWAY_KEY'],
    ['a thread that does not exist', {}, ['context', 'nowhere'], 4, 'thread_not_found', '`spillway threads`'],
    ['an export of no thread', {}, ['export', 'nowhere'], 4, 'thread_not_found', '`spillway threads`'],
    ['a search in no thread', {}, ['search', 'nowhere', 'x'], 4, 'thread_not_found', '`spillway threads`'],
    ['the events of no thread', {}, ['tail', 'nowhere'], 4, 'thread_not_found', '`spillway threads`'],
    [
      'a key that is gone',
      {},
      ['keys', 'revoke', '0196f2ab-0000-7000-8000-000000000000'],
      4,
      'key_not_found',
      '',
    ],
    [
      'a budget that is too small',
      {},
      ['context', 'work', '--max-tokens', '1'],
      1,
      'budget_too_small',
      '--max-tokens',
    ],
    ['no server', { url: 'http://127.0.0.1:2' }, ['threads'], 5, 'unreachable', 'Check SPILLWAY_URL'],
    ['no server to follow', { url: 'http://127.0.0.1:2' }, ['tail'], 5, 'unreachable', 'Check SPILLWAY_URL'],
    ['no key', { key: '' }, ['threads'], 3, 'unauthorized', 'an API key or a thread token'],
    ['no such key', {}, ['keys', 'revoke', 'sw_nothing'], 4, 'key_not_found', 'spillway keys list'],
  ])('%s', async (_what, settings, words, exit, errorCode, next) => {
    const server = { ...stack, ...settings };
    const plain = await runProgram(server, words);
    expect(plain).toMatchObject({ code: exit, stdout: '' });
    expect(plain.stderr).toMatch(/^spillway: .*[.]\n$/);
    expect(plain.stderr).toContain(next);
    const { code, stderr } = await runCommand(server, [...words, '--json']);
    expect(code).toBe(exit);
    const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ code: errorCode, exit_code: exit });
    expect(error.message).toBeTruthy();
  });

  test('a value that only the server knows to be wrong', async () => {
    const { code, stderr } = await run('threads', '--state', 'asleep');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^spillway: \/state\/0: must be one of "idle", [^.]+\. Change what the message names\./,
    );
    expect(stderr.match(/must be one of/g)).toHaveLength(1);
  });

  test('a context that does not fit its window, which no --max-tokens helps', async () => {
    await api.createThread({ id: 'stuck', system: 'word '.repeat(9_000) });
    await api.append('stuck', { role: 'user', content: 'Hello.' });
    const { code, stderr } = await run('context', 'stuck');
    expect(code).toBe(1);
    expect(stderr).toMatch(/Give it a larger context window, or unpin messages\. Request:/);
    await api.call('DELETE', '/v1/threads/stuck');
  });

  test('a key without the scope', async () => {
    const { code, stderr } = await runCommand({ ...stack, key: readOnlyKey }, ['keys']);
    expect(code).toBe(3);
    expect(stderr).toContain('admin');
    expect(stderr).toContain('Request: ');
  });
});

describe('threads', () => {
  test('lists threads in columns', async () => {
    const { code, stdout } = await run('threads', '--sort', 'id');
    const [head, ...rows] = stdout.trim().split('\n');
    expect(code).toBe(0);
    expect(head).toMatch(/^THREAD +STATE +MESSAGES +TOKENS/);
    expect(rows.map((row) => row.split(/\s+/)[0])).toEqual([
      'small-0',
      'small-1',
      'small-2',
      'small-3',
      'small-4',
      'work',
    ]);
    expect(rows.at(-1)).toMatch(/^work +idle +3 +\d+ +\d+ % +- +gpt-4o +\d{4}-/);
  });

  test('goes through pages by the cursor that it names', async () => {
    const ids: string[] = [];
    const again = ['threads', '--json', '--sort', 'id', '--limit', '4'];
    const first = await run(...again);
    ids.push(...valuesOf<Schemas['ThreadListed']>(first.stdout).map(({ id }) => id));
    const cursor = /--cursor (\S+),/.exec(first.stderr)![1]!;
    const second = await run(...again, '--cursor', cursor);
    ids.push(...valuesOf<Schemas['ThreadListed']>(second.stdout).map(({ id }) => id));
    expect(second.stderr).toBe('');
    const all = await run('threads', '--json', '--sort', 'id', '--all');
    expect(ids).toEqual(valuesOf<Schemas['ThreadListed']>(all.stdout).map(({ id }) => id));
    expect(ids).toHaveLength(6);
  });

  test.each([
    [['--metadata', 'team=red'], ['work']],
    [['-q', 'small-3'], ['small-3']],
    [['--model', 'gpt-4o'], ['work']],
    [['--min-messages', '2'], ['work']],
    [['--min-tokens', '100'], ['work']],
    [['--state', 'parked'], []],
    [['--errors'], []],
    [['--since', '2000-01-01T00:00:00Z', '-q', 'work'], ['work']],
    [['--since', '1d', '-q', 'work'], ['work']],
    [['--fill', '0.9'], []],
    [['--sort', 'messages', '--limit', '1'], ['work']],
  ])('filters by %j', async (words, expected) => {
    const { code, stdout } = await run('threads', '--json', ...words);
    expect(code).toBe(0);
    expect(valuesOf<Schemas['ThreadListed']>(stdout).map(({ id }) => id)).toEqual(expected);
  });

  test('stops without an error when its reader has enough', async () => {
    expect(await inShell(stack, 'threads --all | head -1; echo "${PIPESTATUS[0]}"')).toMatch(
      /^THREAD .*\n0\n$/,
    );
  });

  test('goes on when nobody reads its notes', async () => {
    expect(await inShell(stack, 'fork work --id of-work 2> >(true); echo $?')).toBe('of-work\n0\n');
    expect((await api.call('DELETE', '/v1/threads/of-work')).status).toBe(204);
  });
});

describe('context', () => {
  test('prints what the model would be sent, in the form asked for', async () => {
    for (const format of ['openai', 'anthropic', 'responses', 'ai-sdk']) {
      const { body } = await api.call<Schemas['Context']>('GET', `/v1/threads/work/context?format=${format}`);
      const { code, stdout, stderr } = await run('context', 'work', '--format', format);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ system: body.system, messages: body.messages });
      expect(stderr).toContain(`${body.tokens.total} of ${body.budget.limit} tokens`);
    }
    const whole = await run('context', 'work', '--json', '--tools', '--at', '1');
    expect(JSON.parse(whole.stdout)).toMatchObject({
      format: 'openai',
      last_seq: 1,
      tools: expect.anything() as unknown,
    });
  });

  test.each(['openai', 'anthropic', 'responses', 'ai-sdk'])(
    'prints a text to read from %s, in which a message cannot control the terminal',
    async (format) => {
      const { stdout } = await run('context', 'work', '--text', '--format', format);
      expect(stdout).toContain('--- user\nThe release is called Walrus. \\u001b[31mBuild');
      expect(stdout).not.toContain('\u001b');
      expect(stdout).toContain('[calls sh, c1] {"command":"make all"}');
      expect(stdout).toContain('I build it.');
      expect(stdout).toMatch(/c1\]?\n/);
      expect(stdout).toContain('1: step 0 ok');
    },
  );
});

test('context says that the newest summary stands for all messages up to its end', async () => {
  await api.createThread({ id: 'folded', policy: folding });
  for (let folds = 0; folds < 2; folds++) await foldOnce(api, 'folded');
  const { summary } = await api.context('folded');
  const { stderr } = await run('context', 'folded');
  expect(stderr).toContain(`summary ${summary!.generation} stands for messages 1-${summary!.to_seq}`);
});

describe('a message with control characters', () => {
  // CSI and DEL, which JSON does not escape, and a change of the direction of writing.
  const control = '\u009b2J\u009b31m \u007f \u202egnp.exe\u202c \u2066end\u2069';
  const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  beforeAll(() => api.append('hostile', { role: 'user', content: `Walrus ${control}` }));

  test.each([
    ['context', 'hostile'],
    ['context', 'hostile', '--json'],
    ['search', 'hostile', 'walrus', '--json'],
  ])('is the same JSON without one: spillway %s %s %s', async (...words) => {
    const { code, stdout } = await run(...words);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(unsafe);
    expect(JSON.stringify(JSON.parse(stdout))).toContain(control);
  });

  test.each([
    ['of its role', '{"role":"\u009b2J","content":"x"}'],
    ['of its JSON', '{"role":"user","content":"x"}\n\u009b2J'],
  ])('is named without one where a file is refused because %s', async (name, text) => {
    const file = join(folder.path, `${name}.json`);
    writeFileSync(file, text);
    for (const more of [[], ['--json']]) {
      const { code, stderr } = await run('import', file, '--from', 'openai', '--dry-run', ...more);
      expect(code).toBe(2);
      expect(stderr).not.toMatch(unsafe);
      expect(stderr).toContain('\\u009b2J');
    }
    rmSync(file);
  });

  test.each(['--format jsonl', '--format markdown', '--as openai'])(
    'is exported to a terminal without one, and to a pipe as it is: %s',
    async (options) => {
      const words = options.split(' ');
      const call = [process.execPath, program, 'export', 'hostile', ...words];
      const env = { PATH: process.env.PATH!, SPILLWAY_URL: stack.url, SPILLWAY_KEY: stack.key };
      // The program script runs a command in a terminal of its own.
      const shown = execFileSync('script', ['-qec', call.join(' '), '/dev/null'], { env, encoding: 'utf8' });
      expect(shown.replaceAll('\r\n', '\n')).not.toMatch(unsafe);
      expect(shown).toContain('Walrus \\u009b2J');
      expect((await run('export', 'hostile', ...words)).stdout).toContain(`Walrus ${control}`);
    },
  );
});

describe('find', () => {
  test('lists the threads in which all words were said, with the messages', async () => {
    await api.append('ferry-a', { role: 'user', content: 'The ferry to Hven leaves at nine.' });
    await api.append('ferry-b', { role: 'user', content: 'No ferry today.' });
    const { code, stdout } = await run('find', 'ferry', 'hven');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^--- ferry-a, changed \S+Z\n1 user: The ferry to Hven leaves at nine\.\n\n$/);
    const both = await run('find', 'ferry', '--json');
    expect(valuesOf<Schemas['FoundThread']>(both.stdout).map(({ id }) => id)).toEqual(['ferry-b', 'ferry-a']);
    const first = await run('find', 'ferry', '--json', '--limit', '1');
    expect(valuesOf<Schemas['FoundThread']>(first.stdout).map(({ id }) => id)).toEqual(['ferry-b']);
  });

  test('says when nothing is there', async () => {
    expect(await run('find', 'quokka')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Nothing was found.\n',
    });
  });
});

describe('search', () => {
  test('finds words in messages and in offloaded outputs', async () => {
    const { code, stdout } = await run('search', 'work', 'walrus', 'release');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^--- message 1, user\n/);
    const deep = await run('search', 'work', '1500:', '--json', '--limit', '1');
    expect(valuesOf<Schemas['SearchHit']>(deep.stdout)).toMatchObject([{ seq: 3, output: { line: 1_500 } }]);
  });

  test('says where each passage of a long message begins', async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `${i + 1} nothing of note here`);
    lines[39] = '40 the wombat may migrate';
    lines[299] = '300 the narwhal never';
    await api.append('passages', { role: 'user', content: lines.join('\n') });
    const { stdout } = await run('search', 'passages', 'wombat', 'narwhal');
    const starts = [...stdout.matchAll(/^--- from line (\d+)\n(\d+) /gm)];
    expect(starts.length).toBeGreaterThan(0);
    for (const [, named, shown] of starts) expect(shown).toBe(named);
  });

  test('takes filters and phrases, and says when nothing is there', async () => {
    const phrase = await run('search', 'work', 'build', 'called Walrus', '--json', '--role', 'user');
    expect(valuesOf<Schemas['SearchHit']>(phrase.stdout).map(({ seq }) => seq)).toEqual([1]);
    expect(await run('search', 'work', 'zebra')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Nothing was found.\n',
    });
    expect((await run('search', 'work', 'walrus', '--from', '2', '--json')).stdout).not.toContain('"seq":1,');
  });
});

describe('keys', () => {
  test('are created, used, listed and revoked', async () => {
    const made = await run(
      'keys',
      'create',
      '--name',
      'ci',
      '--scope',
      'context:read,outputs:read',
      '--expires',
      '2d',
    );
    expect(made.code).toBe(0);
    const key = made.stdout.trim();
    expect((await runCommand({ ...stack, key }, ['threads'])).code).toBe(0);

    const [listed] = valuesOf<Schemas['KeyList']['data'][number]>(
      (await run('keys', '--json')).stdout,
    ).filter(({ name }) => name === 'ci');
    expect(listed!.scopes.sort()).toEqual(['context:read', 'outputs:read']);
    const days = (Date.parse(listed!.expires_at!) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(1.9);
    expect(days).toBeLessThan(2.1);
    expect((await run('keys', 'list')).stdout).toContain(`${listed!.id}  ci`);
    expect(made.stderr).toContain(listed!.id);

    expect(await run('keys', 'revoke', listed!.prefix)).toMatchObject({ code: 0 });
    await until(
      'the key is refused',
      async () => (await runCommand({ ...stack, key }, ['threads'])).code === 3,
    );
    expect((await run('keys')).stdout).not.toContain(listed!.id);
    expect((await run('keys', '--all')).stdout).toMatch(new RegExp(`${listed!.id}.*revoked \\d{4}`));
    expect(await run('keys', 'revoke', listed!.id, '--json')).toMatchObject({
      stdout: `{"id":"${listed!.id}","revoked":true}\n`,
    });
  });

  test('have a budget of tokens, which is listed and changed', async () => {
    const made = await run(
      ...['keys', 'create', '--name', 'budgeted', '--scope', 'context:read'],
      ...['--tokens-per-day', '5000', '--json'],
    );
    const [{ id, prefix }] = valuesOf<Schemas['KeyCreated']>(made.stdout) as [Schemas['KeyCreated']];
    expect((await run('keys')).stdout).toMatch(new RegExp(`${id}  budgeted .*  0 of 5,000\n`));

    const raised = await run('keys', 'change', prefix, '--tokens-per-day', '1000000', '--name', 'raised');
    expect(raised).toMatchObject({ code: 0, stdout: '' });
    expect(raised.stderr).toBe(`Changed key ${id} (raised). It took 0 of 1,000,000 tokens today.\n`);
    const unbound = await run('keys', 'change', id, '--tokens-per-day', 'none', '--json');
    expect(valuesOf<Schemas['Key']>(unbound.stdout)).toMatchObject([
      { id, name: 'raised', max_chat_tokens_per_day: null, chat_tokens_today: 0 },
    ]);
    expect((await run('keys')).stdout).toMatch(new RegExp(`${id}  raised .*  0\n`));
    const gone = await run('keys', 'change', '0196f2ab-0000-7000-8000-000000000000', '--name', 'x');
    expect(gone).toMatchObject({ code: 4 });
  });
});

describe('export', () => {
  test('prints every message as it was posted', async () => {
    const { code, stdout } = await run('export', 'work');
    expect(code).toBe(0);
    const lines = valuesOf<{ type: string; message: unknown }>(stdout);
    expect(lines[0]).toMatchObject({ type: 'thread', id: 'work' });
    const messages = lines.filter(({ type }) => type === 'message').map(({ message }) => message);
    expect(messages).toEqual(conversation);
    expect((await run('export', 'work', '--format', 'markdown')).stdout).toContain('# Thread ` work `');
  });

  test('writes a file that is whole, and replaces one with --force alone', async () => {
    const file = join(folder.path, 'work.jsonl');
    const written = await run('export', 'work', '-o', file, '--json');
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(written.stdout)).toEqual({ file, bytes: Buffer.byteLength(text) });
    expect(text).toBe((await run('export', 'work')).stdout);
    writeFileSync(file, 'mine');
    const refused = await run('export', 'work', '-o', file);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('--force');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await run('export', 'work', '-o', file, '--force')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(text);
    const nowhere = join(folder.path, 'none', 'x');
    expect((await run('export', 'work', '-o', nowhere)).stderr).toContain(
      `There is no such file or folder: ${nowhere}.`,
    );
    expect(readdirSync(folder.path)).toEqual(['work.jsonl']);
  });
});
