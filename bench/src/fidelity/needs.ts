import type { JsonMessage } from '@spillway/testing';

/** What a later step may need letter by letter, found without the engine's own patterns. */
const patterns = [
  /https?:\/\/[^\s"'`<>()[\]{}\\,]{4,200}/g,
  /(?<![\w.@~/-])(?:~|\.{1,2})?\/?(?:[\w.@-]{1,80}\/){1,14}[\w.@-]{0,80}\.[A-Za-z]\w{0,7}(?!\w)/g,
  /(?<![\w/.-])(?=\w*\d)(?=\w*[A-Za-z])\w{4,80}(?![\w/])/g,
  /(?<![\w.,/-])\d{4,15}(?![\w,/-]|\.\d)/g,
] as const;
/** Parts of dates and times, ordinals and units are in every thread and name nothing. */
const noise =
  /^(\d{1,2}T\d{2}|\d{4}T\d+|\d+(?:st|nd|rd|th|px|ms|min|kb|mb|gb|am|pm)|utf8|sha256|base64|v\d+|(?:19|20)\d\d)$/i;

/** Messages after a fold in which a use counts as a need. */
const window = 60;

export function identifiersIn(text: string): Set<string> {
  const found = new Set<string>();
  let rest = text;
  for (const pattern of patterns)
    rest = rest.replace(pattern, (written) => {
      const value = written.replace(/[.,;:]+$/, '');
      if (noise.test(value)) return written;
      found.add(value);
      return ' ';
    });
  return found;
}

/** What a message says: its text, and the values of its calls' arguments. */
export function saidIn(message: JsonMessage): string {
  const calls = (message.tool_calls ?? []) as { function: { name: string; arguments: string } }[];
  return [
    ...stringsOf(message.content),
    ...calls.flatMap((call) => stringsOf(parsed(call.function.arguments))),
  ].join('\n');
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, of]) =>
    key === 'type' || key === 'image_url' ? [] : stringsOf(of),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Arguments that a model wrote badly are read as they stand.
    return text;
  }
}

export interface FoldPlace {
  /** The newest message when the fold was made. */
  atSeq: number;
  toSeq: number;
  /** Messages that stand for themselves beside the summary. */
  verbatim: readonly number[];
}

/** A thread read for its identifiers, so that each of its folds is asked quickly. */
export class ThreadReading {
  private readonly texts: string[];
  private readonly uses: Set<string>[];

  constructor(messages: readonly JsonMessage[]) {
    this.texts = messages.map(saidIn);
    this.uses = messages.map((message, i) =>
      message.role === 'assistant' ? identifiersIn(this.texts[i]!) : new Set(),
    );
  }

  /**
   * The words around an identifier where the messages up to a seq said it last: up to four on either side of it in
   * its line, without other identifiers; for a line without words, the first eight of the agent's step before it.
   * What an agent that forgot the identifier remembers of it at best.
   */
  wordsAround(value: string, through: number): string {
    const at = this.texts.slice(0, through).findLastIndex((one) => says(one, value));
    const line = this.texts[at]?.split('\n').find((one) => says(one, value)) ?? '';
    const column = line.indexOf(value);
    const before = wordsIn(line.slice(Math.max(0, column - 300), column)).slice(-4);
    const after = wordsIn(line.slice(column + value.length, column + value.length + 300)).slice(0, 4);
    if (before.length + after.length > 0) return [...before, ...after].join(' ');
    const step = this.texts.slice(0, at).findLast((_, i) => this.uses[i]!.size > 0) ?? '';
    return wordsIn(step).slice(0, 8).join(' ');
  }

  /**
   * The identifiers that the agent itself writes in the next messages after a fold and that nobody has said since the
   * folded range ended: the agent has them from there. Those that a message beside the summary says are left out.
   */
  needsAfter({ atSeq, toSeq, verbatim }: FoldPlace): string[] {
    const beside = new Set(verbatim);
    const hidden: string[] = [];
    const shown: string[] = [];
    this.texts.slice(0, toSeq).forEach((text, i) => (beside.has(i + 1) ? shown : hidden).push(text));
    const needs = new Set<string>();
    const seen = new Set<string>();
    for (let seq = atSeq + 1; seq <= Math.min(this.texts.length, atSeq + window); seq++) {
      for (const value of this.uses[seq - 1]!) {
        if (seen.has(value)) continue;
        seen.add(value);
        const since = this.texts.slice(toSeq, seq - 1);
        if ([...shown, ...since].some((text) => says(text, value))) continue;
        if (hidden.some((text) => says(text, value))) needs.add(value);
      }
    }
    return [...needs];
  }
}

/** Words of prose, without identifiers. */
function wordsIn(text: string): string[] {
  const identifiers = identifiersIn(text);
  return (text.match(/[\p{L}\p{N}_./@:-]+/gu) ?? [])
    .map((word) => word.replace(/^[./@:-]+|[./@:-]+$/g, ''))
    .filter((word) => /^\p{L}[\p{L}_-]{2,}$/u.test(word) && !identifiers.has(word));
}

/** Tells whether a text says a value where it stands for itself: `T12` is not said by `T123`. */
export function says(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    const before = isWord(text[at - 1]) && isWord(value[0]);
    const after = isWord(text[end]) && isWord(value.at(-1));
    if (!before && !after) return true;
  }
  return false;
}

const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
