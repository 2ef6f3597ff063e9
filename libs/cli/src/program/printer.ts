import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isFailedWrite, refuseFile } from '../files/refuse-file.js';
import { terminalStream, terminalText } from './terminal-text.js';

/** A stream to print to. The size of its window is known where it is a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number };

/**
 * Where a command prints. What it prints may be of a thread or of a file: control characters are escapes, which JSON
 * reads as the same text.
 */
export interface Printer {
  /** Prints JSON instead of text. */
  readonly json: boolean;
  /** A line of the result. Resolves when it is written. Throws `ReaderGoneError` where the command needs its reader. */
  line(text: string): Promise<void>;
  /** A value of the result as JSON on a line. */
  value(value: unknown): Promise<void>;
  /** Throws `ReaderGoneError` when the reader went before it took the whole result: for what nothing shows again. */
  refuseUnread(): void;
  /** Copies bytes to the result, as they are unless to a terminal. Rejects when the source or the reader breaks off. */
  copy(source: Readable): Promise<void>;
  /** Something beside the result, for people and for logs. */
  note(text: string): void;
  /** How far it is. Shown where standard error is a terminal alone. An empty text removes it. */
  progress(text: string): void;
}

/** The reader of a pipe has closed it, and the command has nothing else to do, or nothing shows its result again. */
export class ReaderGoneError extends Error {
  constructor(cause: Error) {
    super('The reader of standard output has gone.', { cause });
  }
}

interface PrinterOptions {
  json: boolean;
  needsReader: boolean;
}

export function printerTo(out: Output, err: Output, { json, needsReader }: PrinterOptions): Printer {
  let shown = false;
  let gone: Error | undefined;
  let isCopying = false;
  const clear = () => {
    if (shown) err.write('\r\x1b[K');
    shown = false;
  };
  /** Ends the command that needs its reader when that has gone; what others print is discarded from then on. */
  const unlessGone = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      if (isFailedWrite(error)) refuseFile(error, 'standard output');
      throw error;
    }
    gone = error;
    if (needsReader) throw new ReaderGoneError(error);
  };
  const write = async (text: string) => {
    clear();
    if (gone) return;
    await new Promise<void>((resolve, reject) => {
      out.write(text, (error) => (error ? reject(error) : resolve()));
    }).catch(unlessGone);
  };
  return {
    json,
    line: (text) => write(`${terminalText(text)}\n`),
    value: (value) => write(`${terminalText(JSON.stringify(value))}\n`),
    refuseUnread: () => {
      if (gone) throw new ReaderGoneError(gone);
    },
    copy: async (source) => {
      isCopying = true;
      await pipeline([source, ...(out.isTTY ? [terminalStream()] : []), out], { end: false })
        .finally(() => (isCopying = false))
        .catch(unlessGone);
    },
    note: (text) => {
      clear();
      err.write(`${terminalText(text)}\n`);
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
