import { cleanLine } from './clean-line.js';
import { isLoggerJson, messageIn } from './json-lines.js';
import { LinePrefix } from './line-prefix.js';
import { weightsOf, type Weights } from './weights.js';

/** The lines of a text; a final newline does not start another one. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '' && lines.length > 1) lines.pop();
  return lines;
}

/** A text line by line, with and without what programs put before each line. */
export class ReadLines {
  private weighed: Weights | undefined;

  constructor(
    /** Lines as a terminal leaves them; of JSON lines of a logger, what each says. */
    readonly shown: readonly string[],
    /** The same lines without times, names and calm levels before them. */
    readonly bare: readonly string[],
    /** Most lines had a prefix. */
    readonly isPrefixed: boolean,
    /** Lines are documents of a logger, of which `shown` holds the messages. */
    readonly isUnwrapped: boolean,
  ) {}

  /** What lines weigh, weighed once. */
  get weights(): Weights {
    return (this.weighed ??= weightsOf(this.bare));
  }
}

/** Reads a text, and its lines, without a byte order mark and without carriage returns before line breaks. */
export function readText(posted: string): { text: string; lines: ReadLines } {
  const whole = posted.startsWith('\ufeff') ? posted.slice(1) : posted;
  const lines = readLines(whole);
  return { text: textOf(whole, lines), lines };
}

/** Reads the lines of a text, and takes off what runners, containers and loggers put around each. */
function readLines(text: string): ReadLines {
  const cleaned = linesOf(text).map(cleanLine);
  const outer = unprefixed(cleaned);
  if (!isLoggerJson(outer.bare)) return new ReadLines(cleaned, outer.bare, outer.isPrefixed, false);
  const messages = outer.bare.map((line) => cleanLine(messageIn(line)));
  const inner = unprefixed(messages);
  return new ReadLines(messages, inner.bare, inner.isPrefixed, true);
}

function unprefixed(lines: readonly string[]): { bare: string[]; isPrefixed: boolean } {
  const prefix = new LinePrefix(lines);
  let filled = 0;
  let cut = 0;
  const bare = lines.map((line) => {
    if (line === '') return line;
    const taken = prefix.take(line);
    filled++;
    if (taken.cut > 0) cut++;
    return taken.bare;
  });
  return { bare, isPrefixed: cut > filled * 0.5 };
}

/** A text without what stands around each of its lines. JSON lines of a logger stay as they are. */
function textOf(text: string, { bare, isPrefixed, isUnwrapped }: ReadLines): string {
  if (isUnwrapped) return text;
  const isDrawn = text.includes('\u001b') || /\r(?!\n)/.test(text);
  return isPrefixed || isDrawn ? bare.join('\n') : text.replaceAll('\r\n', '\n');
}
