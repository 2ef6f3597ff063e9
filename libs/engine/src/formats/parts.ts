import type { Body, Native, Part, ResultPart } from '../messages/message.js';
import type { FormatName } from '../messages/format-name.js';
import type { Shorten } from './format.js';

export const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const stringOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Parts of a content that is a string or an array of typed parts. */
export function readContent(content: unknown, readPart: (part: Body) => Part): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isBody).map(readPart) : [];
}

/** The text of a content that is one text without further fields, which needs no part; undefined for any other. */
export function textAlone(content: readonly Body[]): string | undefined {
  const [only] = content;
  const isAlone = content.length === 1 && only!.type === 'text' && Object.keys(only!).length === 2;
  return isAlone ? stringOf(only!.text) : undefined;
}

/** The source of the part, if this format wrote it. */
export const nativeIn = (part: { native?: Native | undefined }, format: FormatName): Body | undefined =>
  part.native?.format === format ? part.native.raw : undefined;

/** The input of a call that became too short to be the JSON that it was, as arguments that are valid. */
export const shortenedInput = (text: string): Body => ({ shortened: text });

/** A call whose input is an object, with a shorter one. */
export const withShorterInput = (call: Body, shorten: Shorten): Body => ({
  ...call,
  input: shortenedInput(shorten(JSON.stringify(call.input))),
});

/** The same object without a field; itself when it does not have it. */
export function without(body: Body, field: string): Body {
  if (!(field in body)) return body;
  const { [field]: _, ...rest } = body;
  return rest;
}

/** The same list when every item stays the same. */
export function changedList(
  list: readonly unknown[],
  change: (item: unknown) => unknown,
): readonly unknown[] {
  const changed = list.map(change);
  return changed.every((item, i) => item === list[i]) ? list : changed;
}

/** What formats without a field for it drop of a message of one of several people or agents. */
export const authorName = 'the name of who wrote a message';

/** Marks the text of a system message that is sent as one of the user. */
export const systemMark = '[System message] ';

/** What formats without a place for a later system message drop of it. */
export const systemRole = 'the role of a system message';

/** The text of an empty message, where a provider refuses empty ones. */
export const emptyMessage = '[empty message]';

/** The text of a failed tool call, for formats without an error flag. */
export const errorMark = '[tool error] ';

/** Whether a result's text says that it is an error. */
export const isMarkedError = (parts: readonly Part[]): boolean => {
  const [first] = parts;
  return first?.type === 'text' && first.text.startsWith(errorMark);
};

/** The error prefix, unless the text has it already. */
export const errorMarkOf = (result: ResultPart): string =>
  result.isError && !isMarkedError(result.parts) ? errorMark : '';

/** A replacement for a result's text; an error stays an error. */
export function markedAs(text: string, inPlaceOf: unknown): string {
  const [first] = Array.isArray(inPlaceOf) ? (inPlaceOf as unknown[]) : [{ text: inPlaceOf }];
  const wasError = isBody(first) && stringOf(first.text).startsWith(errorMark);
  return wasError && !text.startsWith(errorMark) ? errorMark + text : text;
}

/** What a part is, in the words of a note or a report. */
export const nameOf = (part: Part): string =>
  part.type === 'media' ? part.kind : part.type === 'other' ? part.label : part.type;

/** What a message says beside its role and content, as one part: it is counted, and other formats drop it. */
export function fieldsBeside(body: Body): Part[] {
  const { role: _role, content: _content, ...value } = body;
  const names = Object.keys(value);
  return names.length > 0 ? [{ type: 'other', label: names.join(', '), value, beside: true }] : [];
}

/** Whether the part holds fields beside the content, and is no content itself. */
export const isBeside = (part: Part): boolean => part.type === 'other' && part.beside === true;

/** The text that replaces what a format cannot express. */
export const placeholder = (what: string): string => `[${what} not shown]`;

/** Names of tools by call id, for formats that repeat them in the result. */
export const toolNames = (messages: readonly { parts: readonly Part[] }[]): ReadonlyMap<string, string> =>
  new Map(
    messages.flatMap((m) => m.parts.flatMap((p) => (p.type === 'call' ? [[p.id, p.name] as const] : []))),
  );

export const nameOfResult = (result: ResultPart, names: ReadonlyMap<string, string>): string =>
  result.name ?? names.get(result.callId) ?? 'unknown_tool';

/** A message with some of the results among its content changed, by their place among `results`. */
export function withResultBlocks(
  body: Body,
  results: readonly Body[],
  contents: ReadonlyMap<number, unknown>,
  changed: (result: Body, content: unknown) => unknown,
): Body {
  const next = new Map(
    [...contents].flatMap(([place, content]) => {
      const result = results[place];
      return result ? [[result, changed(result, content)] as const] : [];
    }),
  );
  const blocks = body.content as Body[];
  return { ...body, content: blocks.map((block) => (next.has(block) ? next.get(block) : block)) };
}
