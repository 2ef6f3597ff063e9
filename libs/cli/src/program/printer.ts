import { once } from 'node:events';

/** Where a command prints. */
export interface Printer {
  /** Prints JSON instead of text. */
  readonly json: boolean;
  /** A line of the result. Resolves when the reader keeps up. */
  line(text: string): Promise<void>;
  /** A value of the result as JSON on a line. */
  value(value: unknown): Promise<void>;
  /** Something beside the result, for people and for logs. */
  note(text: string): void;
  /** How far it is. Shown where standard error is a terminal alone. An empty text removes it. */
  progress(text: string): void;
}

export function printerTo(
  out: NodeJS.WriteStream,
  err: NodeJS.WriteStream,
  { json }: { json: boolean },
): Printer {
  let shown = false;
  const clear = () => {
    if (shown) err.write('\r\x1b[K');
    shown = false;
  };
  const write = async (text: string) => {
    clear();
    if (!out.write(text)) await once(out, 'drain');
  };
  return {
    json,
    line: (text) => write(`${text}\n`),
    value: (value) => write(`${JSON.stringify(value)}\n`),
    note: (text) => {
      clear();
      err.write(`${text}\n`);
    },
    progress: (text) => {
      if (json || !err.isTTY) return;
      clear();
      if (text === '') return;
      err.write(text.slice(0, Math.max(20, (err.columns || 80) - 1)));
      shown = true;
    },
  };
}
