import type { Message } from '../thread.js';

type Part = Record<string, unknown>;

/**
 * Returns what identifies a message within its thread, in any format: who speaks, the ids of calls and results, the
 * text. Frameworks return a message with other metadata than they were given, so nothing else counts: neither
 * reasoning, nor the text of a result, which is a stub once it is recorded. Words beside a result do.
 */
export function identityOf(message: Message): string {
  const { role, type, content, tool_calls: calls } = message as Part;
  const parts = [message as Part, ...partsOf(content), ...partsOf(calls)];
  const answers = parts.flatMap((part) => answerOf(part) ?? []);
  const isResult = answerOf(message as Part) !== undefined;
  const text = isResult ? '' : parts.map(textOf).join('').trim();
  const by = answers.length > 0 ? 'result' : (role ?? type);
  return hashOf(JSON.stringify([by, answers, parts.flatMap((part) => callOf(part) ?? []), text]));
}

/**
 * Returns the arguments of the calls that a model message of the AI SDK makes, as text that does not depend on the order
 * of keys. Ids of calls may repeat in a thread, and this tells such messages apart.
 */
export const argumentsOf = (message: Message): string =>
  JSON.stringify(
    partsOf((message as Part).content).flatMap((part) =>
      typeOf(part) === 'tool-call' ? [part.input ?? null] : [],
    ),
    (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
  );

function partsOf(content: unknown): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content)
    ? content.map((part: unknown) =>
        typeof part === 'string' ? { type: 'text', text: part } : (part as Part),
      )
    : [];
}

/** The id of the call that a part answers. */
function answerOf(part: Part): unknown {
  const type = typeOf(part);
  if (type === 'tool-result') return part.toolCallId;
  if (type === 'local_shell_call_output') return part.call_id ?? part.id;
  if (type.endsWith('_output')) return part.call_id;
  return part.tool_use_id ?? part.tool_call_id ?? part.approvalId;
}

/** The id of the call that a part makes. */
function callOf(part: Part): unknown {
  const type = typeOf(part);
  if (type === 'tool-call') return part.toolCallId;
  if (type.endsWith('_call') || type === 'program') return part.call_id ?? part.id;
  return type === 'function' || type.endsWith('tool_use') ? part.id : undefined;
}

const wordless = /^$|^message$|^function|reasoning|thinking|tool/;

/** Whether a part is an image, a file or the like: neither text, nor a call or a result, nor reasoning. */
export function isMedia(part: unknown): boolean {
  const type = typeOf((part ?? {}) as Part);
  return type !== 'text' && !type.endsWith('_text') && !wordless.test(type);
}

/** The text of a part; of an image or a file that there is one. */
function textOf(part: Part): string {
  const type = typeOf(part);
  if (type === 'text' || type.endsWith('_text')) return String(part.text);
  return isMedia(part) ? `[${type}]` : '';
}

const typeOf = ({ type }: Part): string => (typeof type === 'string' ? type : '');

/** Returns 53 bits of a text as hex digits (cyrb53): to compare, not to protect. */
export function hashOf(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(16).padStart(14, '0');
}
