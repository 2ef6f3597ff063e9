/** The signals that end a program. SIGHUP: the terminal was closed. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that has to say what it did when it is interrupted: a signal aborts the work, and ends the program when the
 * work has settled. A second signal ends it at once.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  let by: NodeJS.Signals | null = null;
  const stopListening = () => {
    for (const signal of endingSignals) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals) => {
    by = signal;
    stopListening();
    interruption.abort();
  };
  for (const signal of endingSignals) process.on(signal, end);
  try {
    return await work(interruption.signal);
  } finally {
    stopListening();
    if (by !== null) process.kill(process.pid, by);
  }
}
