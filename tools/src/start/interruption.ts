export interface Interruption {
  /** Aborted by Ctrl-C, SIGTERM, a closed terminal, npm's end, or an error nobody caught (then its reason). */
  signal: AbortSignal;
  happened: Promise<void>;
}

/**
 * Watches for everything that should end this process in order. Asked a second time it ends at once: the servers'
 * leashes end them even then.
 */
export function watchForInterruption(): Interruption {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(130);
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
  const happened = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  return { signal, happened };
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
