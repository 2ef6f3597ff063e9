import { spawn } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Account } from '../folders/account.js';
import { limitLog } from './log-file.js';

export interface LeashOptions {
  command: string;
  args: readonly string[];
  /** Everything the process prints goes here, so that a slow or dead reader cannot block it. */
  logFile: string;
  /** A log that is larger is moved to `.previous`. Default: 50 MiB. */
  maxLogBytes?: number;
  /** How often its size is looked at. Default: 10 s. */
  logCheckMs?: number;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  account?: Account | null;
  /** The signal for an orderly shutdown of this program. */
  endSignal?: 'TERM' | 'INT';
}

export interface Leashed {
  running(): boolean;
  /** Settles when the process has ended; the text says how. Never rejects. */
  exited: Promise<string>;
  /** Ends it; kills it after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  lastLines(count: number): Promise<string[]>;
}

/**
 * The shell holds the other end of our pipe: when this process ends in any way (even by kill -9), the pipe closes and
 * the shell ends the server. The server has its own session, so Ctrl-C in the terminal does not reach it before the
 * processes that depend on it have ended.
 */
const leashScript = `
signal=$1; shift
exec 3<&0 </dev/null
"$@" 3<&- & server=$!
{ while read -r _; do :; done; kill -s "$signal" "$server"; } <&3 2>/dev/null & watcher=$!
exec 3<&-
wait "$server"; status=$?
kill "$watcher" 2>/dev/null; wait "$watcher" 2>/dev/null
exit "$status"`;

/** Starts a program that cannot outlive this process. */
export function leash(options: LeashOptions): Leashed {
  const { command, args, endSignal = 'TERM', account } = options;
  const windows = process.platform === 'win32';
  const log = openSync(options.logFile, 'a', 0o600);
  const child = spawn(
    windows ? command : '/bin/sh',
    windows ? [...args] : ['-c', leashScript, 'leash', endSignal, command, ...args],
    {
      detached: !windows,
      stdio: ['pipe', log, log],
      env: options.env ?? process.env,
      cwd: options.cwd,
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
    },
  );
  closeSync(log);
  const unlimitLog = limitLog(options.logFile, options);
  child.stdin?.on('error', () => undefined);

  let ended = false;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  }).then((how) => {
    ended = true;
    unlimitLog();
    return how;
  });

  const stop = async (graceMs: number): Promise<void> => {
    if (windows) child.kill();
    else child.stdin?.end();
    const timer = setTimeout(() => killGroup(child.pid), graceMs);
    await exited;
    clearTimeout(timer);
  };
  const lastLines = async (count: number): Promise<string[]> => {
    const text = await readFile(options.logFile, 'utf8').catch(() => '');
    return text.trimEnd().split('\n').slice(-count);
  };
  return { running: () => !ended, exited, stop, lastLines };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It ended between the timer and the signal.
  }
}
