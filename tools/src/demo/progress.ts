const width = 30;
const lineEveryMs = 10_000;

export interface Progress {
  update(done: number, note: string): void;
  end(): void;
}

/** A progress bar on stderr in a terminal, else occasional lines for logs. */
export function progress(label: string, total: number): Progress {
  const { stderr } = process;
  if (stderr.isTTY) {
    const update = (done: number, note: string): void => {
      const filled = Math.round((width * done) / total);
      const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
      stderr.write(`\r\x1b[2K${label} ${bar} ${done}/${total} ${note}`.slice(0, (stderr.columns || 100) + 5));
    };
    return { update, end: () => stderr.write('\r\x1b[2K') };
  }
  let last = Date.now();
  const update = (done: number, note: string): void => {
    if (Date.now() - last < lineEveryMs) return;
    last = Date.now();
    stderr.write(`${label}: ${done}/${total} messages, ${note}\n`);
  };
  return { update, end: () => undefined };
}
