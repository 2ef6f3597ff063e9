import type { CountTokens } from '../../tokens/counter.js';
import type { ReadLines } from './lines/read-lines.js';

/** The kinds of content of an output. The kind decides what its preview shows. */
export const outputKinds = [
  'log',
  'json',
  'table',
  'html',
  'code',
  'diff',
  'listing',
  'search',
  'text',
] as const;
export type OutputKind = (typeof outputKinds)[number];

export interface PreviewRoom {
  /** Tokens that the preview may take at most. */
  tokens: number;
  /** Lines from the start and the end, where a kind shows those (promptdojo: 5 and 5). */
  headLines: number;
  tailLines: number;
}

export interface Preview {
  kind: OutputKind;
  /** What the model reads: within the room, and every gap in it says what is missing there. */
  text: string;
  /** Lines worth reading next, where the preview knows better than "from the start". */
  readNext: { from: number; to: number } | null;
  /** Of JSON that was read as a whole: the path of a part that it has. */
  readPath?: string;
}

/** The text that a preview is made from. */
export interface OutputText {
  kind: OutputKind;
  /** Without what terminals, runners and containers put around each line. */
  text: string;
  lines: ReadLines;
}

/**
 * Makes the preview of one kind. Null when the text is not of that kind after all or is broken: then the caller falls
 * back to the first and last lines. Pure, deterministic, linear in the text, and never throws.
 */
export type MakePreview = (output: OutputText, room: PreviewRoom, count: CountTokens) => Preview | null;
