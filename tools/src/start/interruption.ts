export interface Interruption {
  /** Aborted by Ctrl-C, SIGTERM, a closed terminal, npm's end, or an error nobody caught (then its reason). */
  signal: AbortSignal;
  /** Settles when that happens; rejects when it is an error nobody caught. */
  interrupted: Promise<void>;
}

/** Ending in order takes seconds; when it takes this long something hangs, and the leashes end the rest. */
const maxStopMs = 90_000;

const sameKeyMs = 1000;

/**
 * Watches for everything that should end this process in order. Asked a second time it ends at once: the servers'
 * leashes end them even then.
 */
export function watchForInterruption(): Interruption {
  const controller = new AbortController();
  controller.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), maxStopMs).unref());
  let first = 0;
  const interrupt = (): void => {
    // One Ctrl-C can arrive twice: from the terminal, and passed on by npm.
    if (controller.signal.aborted && Date.now() - first > sameKeyMs) process.exit(130);
    first ||= Date.now();
    controller.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupt);
  for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(name, (error: unknown) => controller.abort(error));
  }
  // With the terminal gone there is nobody to write to, and that must not get in the way of ending in order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (process.env['npm_lifecycle_event']) watchParent(() => controller.abort());

  const { signal } = controller;
  const interrupted = new Promise<void>((resolve, reject) =>
    signal.addEventListener('abort', () => {
      const reason: unknown = signal.reason;
      if (reason instanceof Error && reason.name === 'AbortError') resolve();
      else reject(reason instanceof Error ? reason : new Error(String(reason)));
    }),
  );
  // Waited for only once everything is up; before that the signal tells.
  interrupted.catch(() => undefined);
  return { signal, interrupted };
}

/** npm hands SIGTERM to its shell only; the shell dies of it without a word to us, and we get another parent. */
function watchParent(gone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, 500);
  timer.unref();
}
