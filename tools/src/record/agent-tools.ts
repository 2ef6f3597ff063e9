import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Sandbox } from './sandbox.js';
import type { TerminalCall } from './scenario.js';

const timeoutMs = 300_000;

/** Runs one tool call in the sandbox and returns its output, also on failure. */
export async function runTool(call: TerminalCall, sandbox: Sandbox, signal: AbortSignal): Promise<string> {
  if (call.tool === 'bash') return bash(call.args.command, sandbox, signal);
  const file = join(sandbox.repo, call.args.path);
  if (call.tool === 'write_file') {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, call.args.content);
    return `Wrote ${call.args.path} (${call.args.content.split('\n').length} lines).`;
  }
  const text = await readFile(file, 'utf8');
  if (call.tool === 'read_file') return numbered(text, call.args.from, call.args.to);
  const found = text.split(call.args.old).length - 1;
  if (found !== 1) throw new Error(`edit_file ${call.args.path}: found ${found} times: ${call.args.old}`);
  await writeFile(
    file,
    text.replace(call.args.old, () => call.args.new),
  );
  return `Edited ${call.args.path}: 1 replacement.`;
}

function numbered(text: string, from = 1, to?: number): string {
  const lines = text.trimEnd().split('\n');
  const last = Math.min(to ?? lines.length, lines.length);
  const width = `${last}`.length;
  return lines
    .slice(from - 1, last)
    .map((line, index) => `${`${from + index}`.padStart(width)}  ${line}`)
    .join('\n');
}

function bash(command: string, sandbox: Sandbox, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `exec 2>&1\n${command}`], {
      cwd: sandbox.repo,
      env: environment(sandbox),
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: timeoutMs,
      signal,
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      if (killedBy) return reject(new Error(`${command}: ended by ${killedBy}`));
      const output = stripVTControlCharacters(Buffer.concat(chunks).toString('utf8')).trimEnd();
      resolve(`${output}${output ? '\n' : ''}[exit code ${code}]`);
    });
  });
}

/** Without settings of the recording machine: no proxies, registries, colors or locale. */
function environment(sandbox: Sandbox): NodeJS.ProcessEnv {
  return {
    PATH: `${join(sandbox.repo, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    HOME: sandbox.home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    CI: '1',
    NO_COLOR: '1',
    NX_DAEMON: 'false',
    NPM_CONFIG_USERCONFIG: '/dev/null',
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    CHECKPOINT_DISABLE: '1',
    GIT_PAGER: 'cat',
    DATABASE_URL: 'postgresql://spillway@localhost:5432/spillway',
  };
}
