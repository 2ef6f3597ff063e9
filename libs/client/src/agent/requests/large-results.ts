import { jsonOf } from '../../json.js';
import type { Message } from '../../thread.js';
import { jsonValuesOf } from './json-values.js';

type Part = Record<string, unknown>;

/** A result of a tool in a message, in any format, whose text an upload can take out. */
export interface LargeResult {
  callId: string;
  toolName: string | undefined;
  text: string;
  /** Of the result's JSON: 0 for a text, Infinity when no request may have it. */
  values: number;
  /** Returns the message with the stub in place of this result's text. */
  stubbed: (message: Message, stub: string) => Message;
}

/** Returns the results of a message that are text or JSON, the largest first. Results with images are left out. */
export function largeResultsOf(message: Message): LargeResult[] {
  const { content } = message as Part;
  const parts = Array.isArray(content) ? (content as Part[]) : [];
  const ofParts = parts.flatMap((part, i) => {
    const replace = (whole: Message, replaced: Part) => {
      const all = (whole as { content: Part[] }).content;
      return { ...whole, content: all.with(i, replaced) };
    };
    return resultOf(part, replace) ?? [];
  });
  const own = resultOf(message as Part, (_, replaced) => replaced);
  return [...(own ? [own] : []), ...ofParts].sort((a, b) => b.text.length - a.text.length);
}

function resultOf(holder: Part, replace: (message: Message, replaced: Part) => Message): LargeResult | null {
  const found = fieldOf(holder);
  if (!found) return null;
  const { field, callId } = found;
  const text = textOf(holder[field]);
  if (typeof callId !== 'string' || text === null) return null;
  return {
    callId,
    toolName: typeof holder.toolName === 'string' ? holder.toolName : undefined,
    text,
    values: jsonValuesOf(jsonOf(holder[field])),
    stubbed: (message, stub) => replace(message, { ...holder, [field]: stubIn(holder[field], stub) }),
  };
}

/** Where a message or a part has the text of a result, and which call it answers. */
function fieldOf(holder: Part): { field: string; callId: unknown } | null {
  const { type, role } = holder;
  if (role === 'tool' && holder.tool_call_id !== undefined)
    return { field: 'content', callId: holder.tool_call_id };
  if (type === 'tool_result') return { field: 'content', callId: holder.tool_use_id };
  if (type === 'tool-result') return { field: 'output', callId: holder.toolCallId };
  if (type === 'function_call_output') return { field: 'output', callId: holder.call_id };
  return null;
}

/** The text of a result as the API would store it; null when it is not text alone. */
function textOf(result: unknown): string | null {
  if (typeof result === 'string') return result;
  if (Array.isArray(result)) return textOfParts(result as Part[]);
  // The AI SDK's: text, JSON, or parts.
  const { type, value } = (result ?? {}) as Part;
  if (type === 'text' || type === 'error-text') return typeof value === 'string' ? value : null;
  if (type === 'json' || type === 'error-json') return value === undefined ? null : jsonOf(value);
  return type === 'content' && Array.isArray(value) ? textOfParts(value as Part[]) : null;
}

const textOfParts = (parts: readonly Part[]): string | null =>
  parts.every(({ text }) => typeof text === 'string') ? parts.map(({ text }) => text).join('\n') : null;

/** A stub in the form of the result that it stands for. */
function stubIn(result: unknown, stub: string): unknown {
  const { type } = (result ?? {}) as Part;
  if (typeof type !== 'string') return stub;
  return { type: type.startsWith('error') ? 'error-text' : 'text', value: stub };
}
