import { UsageError } from '../../program/command.js';
import { parseJson } from '../numbers/parse-json.js';
import { isObject, type JsonObject } from './json-value.js';

export interface Entry {
  value: JsonObject;
  /** From 1. */
  line: number;
}

/** A file of JSON lines, or of one JSON document. */
export interface SourceFile {
  name: string;
  /** Each line, or each element of the document's list. */
  entries: readonly Entry[];
  /** The document, when it is an object that holds the list. */
  document: JsonObject | null;
}

/** Where a document may have its messages: chat exports, then states and checkpoints of LangGraph. */
const listPaths = [
  ['messages'],
  ['input'],
  ['values', 'messages'],
  ['channel_values', 'messages'],
  ['checkpoint', 'channel_values', 'messages'],
];

/** Throws `UsageError` that names the file and the line. */
export const refuse = (name: string, line: number, what: string): never => {
  throw new UsageError(`${name}:${line}: ${what}`);
};

/** Reads the text of a file. Throws `UsageError` with the line for what is not JSON. */
export function readSource(name: string, bytes: Uint8Array): SourceFile {
  const text = decoded(name, bytes);
  if (text.trim() === '') throw new UsageError(`${name} is empty.`);
  const whole = parseDocument(text);
  if (Array.isArray(whole)) return listFile(name, null, whole, linesOfElements(text, text.indexOf('[')));
  if (isObject(whole)) {
    const list = listPaths.map((path) => at(whole, path)).find((found) => Array.isArray(found));
    if (list) return listFile(name, whole, list as unknown[], linesOfElements(text, startOfMessages(text)));
  }
  return linesFile(name, text);
}

function decoded(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${name} is not text in UTF-8.`);
  }
}

/** The document, or undefined when the text is not one: then it has JSON lines. */
function parseDocument(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function linesFile(name: string, text: string): SourceFile {
  // A list that does not end is reported as the document that it was meant to be.
  if (/^\s*\[/.test(text)) refuse(name, lineOfError(text), 'The JSON document is not valid from here on.');
  const entries = text.split('\n').flatMap((source, i): Entry[] => {
    if (source.trim() === '') return [];
    const line = i + 1;
    return [{ value: objectAt(name, line, parseLine(name, line, source)), line }];
  });
  // A line of a data set for training holds a whole conversation.
  if (entries.length === 1 && Array.isArray(entries[0]!.value.messages))
    return listFile(name, entries[0]!.value, entries[0]!.value.messages as unknown[], []);
  const several = entries.find(({ value }, i) => i > 0 && Array.isArray(value.messages));
  if (several)
    refuse(
      name,
      several.line,
      'The file has several conversations. Give each a file, and so a thread, of its own.',
    );
  return { name, entries, document: null };
}

function parseLine(name: string, line: number, source: string): unknown {
  try {
    return parseJson(source);
  } catch (error) {
    return refuse(name, line, `The line is not JSON: ${(error as Error).message}.`);
  }
}

const objectAt = (name: string, line: number, value: unknown): JsonObject =>
  isObject(value) ? value : refuse(name, line, 'Each message must be a JSON object.');

const listFile = (
  name: string,
  document: JsonObject | null,
  list: readonly unknown[],
  lines: readonly number[],
): SourceFile => ({
  name,
  document,
  entries: list.map((value, i) => ({ value: objectAt(name, lines[i] ?? 1, value), line: lines[i] ?? 1 })),
});

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

const startOfMessages = (text: string): number => {
  const found = /"(?:messages|input)"\s*:\s*\[/.exec(text);
  return found ? found.index + found[0].length - 1 : -1;
};

/** The line of each element of the list that begins at an index: JSON.parse does not tell. */
function linesOfElements(text: string, start: number): number[] {
  if (start < 0) return [];
  const lines: number[] = [];
  let line = 1;
  for (let i = 0; i < start; i++) if (text[i] === '\n') line++;
  let depth = 0;
  let inString = false;
  let elementsBefore = 0;
  for (let i = start; i < text.length; i++) {
    const char = text[i]!;
    if (char === '\n') line++;
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
      continue;
    }
    if (depth === 1 && char !== ',' && char !== ']' && !/\s/.test(char) && lines.length === elementsBefore)
      lines.push(line);
    if (char === '"') inString = true;
    else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') {
      if (--depth === 0) return lines;
    } else if (char === ',' && depth === 1) elementsBefore++;
  }
  return lines;
}

/** The line at which a document stops being JSON, from the position in the error of JSON.parse. */
function lineOfError(text: string): number {
  try {
    JSON.parse(text);
    return 1;
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    const end = position === undefined ? text.length : Number(position);
    return text.slice(0, end).split('\n').length;
  }
}
