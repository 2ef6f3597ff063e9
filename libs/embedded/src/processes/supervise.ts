import { setTimeout as sleep } from 'node:timers/promises';
import { keepRunning } from './keep-running.js';
import { lastWord } from './last-word.js';
import { type Leashed, leash } from './leash.js';
import { freshLog } from './log-file.js';
import { StartError } from './start-error.js';

const stopWithinMs = 30_000;

export interface AppOptions {
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  logFile: string;
  /** Answers 200 when the app is ready. */
  probe: string;
  readyWithinMs?: number;
  /** Before the first restart; doubles with each further one. */
  pauseMs?: number;
  say: (line: string) => void;
  signal?: AbortSignal;
}

export interface RunningApp {
  stop(): Promise<void>;
}

/**
 * Starts an app, waits until its probe answers, and restarts it after an unexpected exit. Throws StartError with the
 * app's last log line when it does not become ready the first time.
 */
export async function supervise(options: AppOptions): Promise<RunningApp> {
  await freshLog(options.logFile);
  const current = started(options);
  try {
    await untilReady(current, options);
  } catch (error) {
    await current.stop(stopWithinMs);
    throw error;
  }

  return { stop: keepRunning(current, () => started(options), options) };
}

function started({ command, args, env, cwd, logFile }: AppOptions): Leashed {
  return leash({ command, args, env, cwd, logFile });
}

async function untilReady(app: Leashed, options: AppOptions): Promise<void> {
  const { name, probe, logFile, signal, readyWithinMs = 60_000 } = options;
  const until = Date.now() + readyWithinMs;
  for (;;) {
    signal?.throwIfAborted();
    if (!app.running())
      throw new StartError(`${name} did not start (${await app.exited})${await reason(app, logFile)}`);
    if (await answers(probe)) return;
    if (Date.now() > until) {
      throw new StartError(
        `${name} did not get ready in ${readyWithinMs / 1000} s${await reason(app, logFile)}`,
      );
    }
    await sleep(100, undefined, { signal });
  }
}

function answers(probe: string): Promise<boolean> {
  return fetch(probe, { signal: AbortSignal.timeout(2000), redirect: 'manual' }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status === 200;
    },
    () => false,
  );
}

async function reason(app: Leashed, logFile: string): Promise<string> {
  const line = lastWord(await app.lastLines(40));
  return line ? `: ${line} (log: ${logFile})` : `. Its log: ${logFile}`;
}
