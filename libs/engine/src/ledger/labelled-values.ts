import type { SeqMessage } from '../messages/seq-message.js';
import { parseJsonExactly } from '../outputs/preview/json/parse-exactly.js';
import { readsFile } from '../messages/reads-file.js';
import { identifierPatterns, isIdentifier, mayMatch, withoutStop } from './identifiers.js';

/** A value that a later step may need letter by letter, with what it is. */
export interface LabelledValue {
  value: string;
  /** The key that it stands under, or the tool that a path was passed to; empty in prose and code. */
  label: string;
  /** The weight of one use; 0 where a tool only printed it. */
  uses: number;
}

/** Values that the agent passed to a tool or wrote, or that the user typed, are needed again; listed ones may be. */
const uses = { passed: 3, written: 4, asked: 4, listed: 0 } as const;
/** A text with more values than this lists them: each of them counts less. */
const manyValues = 8;

/** Characters read of a text, of one value in a call's arguments or a result, and of all of these values. */
const readChars = { text: 48_000, leaf: 48_000, leaves: 100_000 } as const;
/** Values of one JSON text: a listing with more is searched, not remembered. */
const maxLeaves = 400;
/** Longer arguments and results are read as text: parsing them would take longer than the rest of the summary. */
const maxJson = 1_000_000;

const idKey = /(?:^|[_\s-])(?:ids?|code|ref|sku|sha|commit|hash|number|ticket|branch)$|[a-z]I[dD]s?$/i;
/** Where in a text or a list a tool reads, and for how long: the next call says it anew. */
const placeKey =
  /^(?:offset|limit|skip|take|page|depth|timeout|(?:start|end|from|to|first|last)?_?(?:line|column|row)s?(?:_?(?:start|end|number|no))?|line_?range|view_range)(?:_?(?:ms|seconds))?$/i;
/** A leaf of JSON that is one word, and so an identifier as a whole. */
const oneWord = /^[\w.@#/:+-]{3,120}$/;
/** Up to the 20 digits of a 64-bit id. */
const longNumber = /(?<![\w.,:/$€£-])\d{4,20}(?![\w,/:-]|\.\d)/g;
const year = /^(?:19|20)\d\d$/;
const callId = /^(?:call|toolu|chatcmpl|fc)_\w{8,}$/;

/** A fold reads the same messages for its summary, for the ledger beside it, and for its score. */
const known = new WeakMap<SeqMessage, readonly LabelledValue[]>();

/**
 * The values of a message, each once, each letter by letter as the message has it. Linear in the text, which is read
 * up to a bound: what stands after it is one search away.
 */
export function labelledValuesIn(message: SeqMessage): readonly LabelledValue[] {
  const values = known.get(message) ?? readValues(message);
  known.set(message, values);
  return values;
}

function readValues(message: SeqMessage): LabelledValue[] {
  const found = new Map<string, LabelledValue>();
  const add = (values: readonly Omit<LabelledValue, 'uses'>[], each: number): void => {
    const share = each / Math.max(1, Math.sqrt(values.length / manyValues));
    for (const { value, label } of values) {
      const known = found.get(value);
      const merged = { value, label: known?.label || label, uses: Math.max(known?.uses ?? 0, share) };
      found.set(value, merged);
    }
  };
  for (const { name, input } of message.calls) {
    const json = input.length <= maxJson ? parseJsonExactly(input) : undefined;
    if (json) add(verbatim(valuesOfJson(json.value, name), input), uses.passed);
    else add(valuesOfText(input.slice(0, readChars.text), true), uses.written);
  }
  for (const { text } of message.results) {
    const json = text.length <= maxJson ? parseJsonExactly(text) : undefined;
    if (json) add(verbatim(valuesOfJson(json.value, null), text), uses.listed);
    else add(valuesOfText(text.slice(0, readChars.text), false), uses.listed);
  }
  const each = message.role === 'user' ? uses.asked : uses.written;
  add(valuesOfText(message.speech.slice(0, readChars.text), true), each);
  return [...found.values()];
}

type Found = Omit<LabelledValue, 'uses'>;

/** JSON may write a number or a character in another way than it is read: such a value is not said by the message. */
const verbatim = (values: readonly Found[], text: string): Found[] =>
  values.filter(({ value }) => text.includes(value));

/** The leaves of a JSON value under their keys. A key names its value and is none itself. */
function valuesOfJson(json: unknown, tool: string | null): Found[] {
  const values: Found[] = [];
  let leaves = 0;
  let read = 0;
  const walk = (value: unknown, key: string, parent: string): void => {
    if (leaves >= maxLeaves || read >= readChars.leaves) return;
    if (Array.isArray(value)) for (const item of value) walk(item, key, parent);
    else if (typeof value === 'object' && value !== null) {
      const of = isIdentifier(key) && /\d/.test(key) ? parent : key;
      for (const [name, item] of Object.entries(value)) walk(item, name, of);
    } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
      const text = String(value).slice(0, readChars.leaf);
      leaves++;
      read += text.length;
      const label = labelOf(/^ids?$/i.test(key) && parent !== '' ? parent : key);
      for (const one of valuesOfLeaf(text, key, label, tool)) values.push(one);
    }
  };
  walk(json, '', '');
  return values;
}

function valuesOfLeaf(text: string, key: string, label: string, tool: string | null): Found[] {
  if (!oneWord.test(text)) return valuesOfText(text, tool !== null);
  if (/^\d+$/.test(text) && placeKey.test(key)) return [];
  if (idKey.test(key) && !/^\d{1,3}$/.test(text) && !callId.test(text)) return [{ value: text, label }];
  // That a file was written is worth a label; that it was read goes without saying.
  const ofPath = (by: string): string => (readsFile(by) ? '' : labelOf(by));
  const of = tool !== null && text.includes('/') ? ofPath(tool) : label;
  return valuesOfText(text, tool !== null).map(({ value }) => ({ value, label: of }));
}

const labelOf = (name: string): string => name.replace(/[^\w.-]+/g, '_').slice(0, 40);

export function valuesOfText(text: string, withNumbers: boolean): Found[] {
  const values = new Set<string>();
  let rest = text.replace(diffSide, ' ');
  for (const pattern of Object.values(identifierPatterns).filter((one) => mayMatch(text, one)))
    rest = rest.replace(pattern, (written: string, ...more: unknown[]) => {
      const value = withoutStop(written);
      const [at, all] = more.slice(-2) as [number, string];
      if (!isIdentifier(value) || isKey(all, at, written.length) || callId.test(value)) return written;
      const place = lineOfFile.exec(all.slice(at + written.length, at + written.length + 12))?.[0] ?? '';
      values.add(value === written && value.includes('.') ? value + place : value);
      return ' ';
    });
  if (withNumbers) for (const value of rest.match(longNumber) ?? []) if (!year.test(value)) values.add(value);
  return [...values].map((value) => ({ value, label: '' }));
}

/** A diff puts `a/` and `b/` before the name of a file, which then counts as two. */
const diffSide = /(?<=^(?:diff --git |--- |\+\+\+ ))a\/|(?<=^diff --git a\/\S{1,300} )b\/|(?<=^\+\+\+ )b\//gm;

/** `:42` or `:42:17` after a file's name. */
const lineOfFile = /^:\d{1,6}(?!\d)(?::\d{1,4}(?!\d))?/;

/** `"address1":` is the name of a key, in JSON that was cut or printed by another language. */
const isKey = (text: string, at: number, length: number): boolean =>
  /["']/.test(text[at - 1] ?? '') && /^["']\s?:/.test(text.slice(at + length, at + length + 3));
