import { runCommand } from '../run-command.js';
import type { Check, Say } from './check.js';

export interface CheckResult {
  ok: boolean;
  seconds: number;
  output: string;
  /** Its messages, passed or not. */
  lines: string[];
}

/** Runs a check. One that throws has failed, so that the others are reported too. */
export async function runCheck(check: Check): Promise<CheckResult> {
  const started = performance.now();
  const lines: string[] = [];
  const run = 'run' in check ? runFunction(check.run, (line) => lines.push(line)) : runCommand(check.command);
  const { ok, output } = await run.catch((error: Error) => ({
    ok: false,
    output: error.stack ?? error.message,
  }));
  return { ok, output, lines, seconds: (performance.now() - started) / 1000 };
}

async function runFunction(
  run: (say: Say) => Promise<string[]>,
  say: Say,
): Promise<{ ok: boolean; output: string }> {
  const complaints = await run(say);
  return { ok: complaints.length === 0, output: complaints.join('\n') };
}
