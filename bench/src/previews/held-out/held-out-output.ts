import type { Random } from '../faulty-runs/faulty-run.js';
import { hex, word } from '../odd-lines/odd-line.js';

/** An output as a tool prints it, which no rule was written for, with what a reader should learn of it. */
export interface HeldOut {
  name: string;
  make: (draw: Draw) => MadeOutput;
}

export interface MadeOutput {
  /** Either its lines, or the text of a document. */
  lines?: readonly string[];
  text?: string;
  /** The lines that say what is wrong. */
  cause: readonly string[];
  /** What a reader asks about, each in any of its spellings. */
  facts?: readonly (readonly string[])[];
  isJson?: true;
  /** Prefixes of lines would break the text. */
  isWhole?: true;
}

/** Values that differ from line to line, the same for the same seed. */
export class Draw {
  constructor(readonly n: Random) {}

  pick<T>(from: readonly T[]): T {
    return from[this.n(from.length)]!;
  }

  word(): string {
    return word(this.n);
  }

  Word(): string {
    const name = this.word();
    return name.charAt(0).toUpperCase() + name.slice(1);
  }

  hex(length: number): string {
    return hex(this.n, length);
  }

  ip(): string {
    return `10.${this.n(255)}.${this.n(255)}.${this.n(255)}`;
  }

  f(from: number, to: number, digits = 2): string {
    return (from + (this.n(1e6) / 1e6) * (to - from)).toFixed(digits);
  }
}

export const list = <T>(n: number, make: (i: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => make(i));

/** Lines with others among them, behind a share of them. */
export function inserted(lines: readonly string[], share: number, ...more: string[]): string[] {
  const at = Math.floor(lines.length * share);
  return [...lines.slice(0, at), ...more, ...lines.slice(at)];
}

export const iso = (i: number, step = 1_000): string =>
  new Date(Date.UTC(2026, 9, 14, 7, 3, 11) + i * step).toISOString();
export const clock = (i: number, step = 1_000): string => iso(i, step).slice(11, 19);
