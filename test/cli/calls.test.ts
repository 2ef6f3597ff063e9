import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { runCommand, valuesOf, type Ended } from './run-program.js';

/** No request is sent to it: fetch refuses this port. */
const server = { url: 'http://127.0.0.1:9', key: 'sw_none' };
const run = (...words: string[]): Promise<Ended> => runCommand(server, words);

describe('help', () => {
  const names = [
    'up',
    'doctor',
    'threads',
    'find',
    'context',
    'search',
    'tail',
    'fork',
    'keys',
    'export',
    'import',
    'replay',
    'backup',
    'restore',
    'mcp',
    'completion',
  ];

  test('lists every command, the settings and the exit codes', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} +[A-Z].*\\.$`, 'm'));
    expect(stdout).toContain('SPILLWAY_KEY');
    expect(stdout).toMatch(/^ {2}3 {2}the key/m);
  });

  test.each(names)('of %s has its usage and its options, and needs no settings', async (name) => {
    const { code, stdout } = await runCommand({ url: '', key: '' }, [name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^spillway ${name} .*\\[options\\]\n\n[A-Z]`));
    expect(stdout).toContain('--json');
    expect((await run('help', name)).stdout).toBe(stdout);
  });
});

describe('a call that cannot be understood ends with 2 and says why', () => {
  test.each([
    [['dance'], 'There is no command "dance". `spillway --help` lists the commands.\n'],
    [['threads', '--colour'], "Unknown option '--colour'"],
    [['threads', '-z'], "Unknown option '-z'. `spillway threads --help` lists the options.\n"],
    [['threads', 'extra'], '"extra" is one word too many'],
    [['threads', '--limit', '0'], '--limit must be a whole number from 1 to 1000'],
    [['threads', '--sort', 'size'], '--sort must be one of updated, created'],
    [['threads', '--since', 'yesterday'], '--since must be a time'],
    [['threads', '--since', '2026-02-31'], '--since must be a time'],
    [['threads', '--since', '2026-11-21T08:00:00'], '--since must be a time'],
    [['threads', '--fill', 'half'], '--fill must be a share'],
    [['threads', '--all', '--limit', '5'], '--all goes without --limit'],
    [['context'], '<thread> is missing. `spillway context --help` '],
    [['context', 'work', '--format', 'xml'], '--format must be one of openai'],
    [['find'], '<words> is missing'],
    [['search', 'work'], '<words> is missing'],
    [['tail', '--after', 'now'], '--after must be the id of an event'],
    [['fork'], '<thread> is missing'],
    [['fork', 'work', '--at', '-1'], '--at'],
    [['fork', 'work', '--at', 'last'], '--at must be a whole number'],
    [['keys', 'rename'], '<action> must be one of list, create, change, revoke'],
    [['keys', 'create', '--name', 'x'], 'at least one --scope'],
    [['keys', 'create', '--name', 'x', '--scope', 'all'], 'There is no scope "all"'],
    [['keys', 'revoke'], 'needs the id of a key'],
    [['keys', 'change', '--name', 'x'], 'needs the id of a key'],
    [['keys', 'change', 'sw_x'], 'needs --name or --tokens-per-day'],
    [['keys', 'change', 'sw_x', '--tokens-per-day', '-1'], '--tokens-per-day'],
    [['keys', 'change', 'sw_x', '--tokens-per-day', '1e3'], '--tokens-per-day must be a whole number from 0'],
    [['keys', 'change', 'sw_x', '--tokens-per-day', '1000000000001'], 'from 0 to 1000000000000, or none'],
    [['keys', 'revoke', 'sw_x', '--name', 'x'], '`spillway keys create` and `spillway keys change`'],
    [['keys', '--name', 'x', '--scope', 'admin'], '--name goes with `spillway keys create`'],
    [['keys', 'revoke', 'sw_x', '--all'], '--all goes with `spillway keys list`'],
    [['export', 'work', '--as', 'codex'], '--as must be one of openai, responses, anthropic, ai-sdk'],
    [['export', 'work', '--as', 'openai', '--format', 'jsonl'], '--as goes without --format'],
    [['replay'], '<file> is missing'],
    [['backup'], '<file> is missing'],
    [['restore', 'a', 'b'], '"b" is one word too many'],
    [['restore', 'a', '--force'], "Unknown option '--force'"],
    [['up', 'here'], '"here" is one word too many'],
    [['up', '--json'], 'up has no --json'],
    [['completion', 'tcsh'], '<shell> must be one of bash, zsh, fish'],
  ])('%j', async (words, message) => {
    const { code, stdout, stderr } = await run(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('the key may be in the variable that was its name once', async () => {
    const ask = (key: string) => runCommand(server, ['threads'], { SPILLWAY_KEY: '', SPILLWAY_API_KEY: key });
    expect((await ask('')).stderr).toContain('SPILLWAY_KEY is not set');
    expect((await ask('sw_a\nb')).stderr).toContain('SPILLWAY_KEY has spaces');
  });

  test.each([
    ['a key with a line break', { key: 'sw_a\nb' }, 'SPILLWAY_KEY has spaces'],
    ['no address', { url: 'localhost:4000' }, 'must be an address like http://localhost:4000'],
  ])('with %s', async (_what, settings, message) => {
    const { code, stderr } = await runCommand({ ...server, ...settings }, ['threads']);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('completions', () => {
  test('are a script that bash runs: it offers commands, options and values', async () => {
    const { stdout } = await run('completion', 'bash');
    const offered = (...words: string[]) => {
      const setUp = `COMP_WORDS=(spillway ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`;
      const script = `${stdout}\n${setUp}; _spillway; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-euo', 'pipefail', '-c', script], { encoding: 'utf8' })
        .trim()
        .split('\n');
    };
    expect(offered('th')).toEqual(['threads']);
    expect(offered('threads', '--s')).toEqual(['--state', '--since', '--sort']);
    expect(offered('context', 'work', '--format', '')).toEqual([
      'openai',
      'responses',
      'anthropic',
      'ai-sdk',
    ]);
    expect(offered('keys', 'cr')).toEqual(['create']);
  });

  test('for zsh and fish name every command and every option of the table', async () => {
    type Table = { name: string; options: { name: string }[] }[];
    const [table] = valuesOf<Table>((await run('completion', 'bash', '--json')).stdout);
    expect(table!.map(({ name }) => name)).toContain('threads');
    for (const shell of ['zsh', 'fish']) {
      const { stdout } = await run('completion', shell);
      for (const { name, options } of table!) {
        const lines = stdout
          .split('\n')
          .filter((line) => line.includes(`${name})`) || line.includes(`from ${name}'`));
        for (const option of options)
          expect(lines.join('\n')).toMatch(new RegExp(`-l ${option.name}\\b|--${option.name}\\[`));
      }
    }
  });
});
