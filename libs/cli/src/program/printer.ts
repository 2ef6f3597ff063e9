import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A stream to print to. The size of its window is known where it is a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number };

/** Where a command prints. */
export interface Printer {
  /** Prints JSON instead of text. */
  readonly json: boolean;
  /** A line of the result. Resolves when the reader keeps up. */
  line(text: string): Promise<void>;
  /** A value of the result as JSON on a line. */
  value(value: unknown): Promise<void>;
  /** Copies bytes to the result. Rejects when the source or the reader breaks off. */
  copy(source: Readable): Promise<void>;
  /** Something beside the result, for people and for logs. */
  note(text: string): void;
  /** How far it is. Shown where standard error is a terminal alone. An empty text removes it. */
  progress(text: string): void;
}

export function printerTo(out: Output, err: Output, { json }: { json: boolean }): Printer {
  let shown = false;
  let isCopying = false;
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
    copy: async (source) => {
      isCopying = true;
      await pipeline(source, out, { end: false }).finally(() => (isCopying = false));
    },
    note: (text) => {
      clear();
      err.write(`${text}\n`);
    },
    progress: (text) => {
      if (json || !err.isTTY) return;
      // On the terminal that shows the copy, to clear the progress would clear a line of the copy.
      if (isCopying && out.isTTY) return;
      clear();
      if (text === '') return;
      err.write(text.slice(0, Math.max(20, (err.columns || 80) - 1)));
      shown = true;
    },
  };
}
