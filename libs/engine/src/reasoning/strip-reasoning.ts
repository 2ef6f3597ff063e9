import type { FormatName } from '../messages/format-name.js';
import { formats } from '../formats/formats.js';
import { isBody } from '../formats/parts.js';
import type { Body } from '../messages/message.js';

/** Which reasoning to strip: signed or sealed by a provider, or all of it. */
export type ReasoningKind = 'signed' | 'all';

/** Keys under which the AI SDK keeps signed, sealed or stored data. */
const sealKeys = [
  'signature',
  'redactedData',
  'reasoningEncryptedContent',
  'encryptedContent',
  'itemId',
  'thoughtSignature',
];
/** Fields of OpenAI chat messages in which gateways pass on signed blocks of other providers. */
const signedFields = ['reasoning_details', 'thinking_blocks'];
const plainFields = ['reasoning_content', 'reasoning'];

const contentOf = (body: Body): unknown[] => (Array.isArray(body.content) ? (body.content as unknown[]) : []);
const isReasoningItem = (type: unknown): boolean =>
  type === 'reasoning' || type === 'compaction' || type === 'compaction_summary';

const options = (part: Body): Body[] =>
  [part.providerOptions, part.providerMetadata]
    .filter(isBody)
    .flatMap((of) => Object.values(of).filter(isBody));

/** Whether this part, item or field is reasoning of the kind. */
const matches: Record<FormatName, (part: unknown, kind: ReasoningKind) => boolean> = {
  anthropic: (block, kind) =>
    isBody(block) &&
    (block.type === 'redacted_thinking' ||
      block.type === 'compaction' ||
      (block.type === 'thinking' && (kind === 'all' || Boolean(block.signature)))),
  'ai-sdk': (part, kind) =>
    isBody(part) &&
    part.type === 'reasoning' &&
    (kind === 'all' || options(part).some((of) => sealKeys.some((key) => Boolean(of[key])))),
  responses: (item, kind) =>
    isBody(item) &&
    isReasoningItem(item.type) &&
    (kind === 'all' || Boolean(item.encrypted_content) || typeof item.id === 'string'),
  openai: () => false,
};

/** Number of reasoning blocks in the message. */
export function countReasoning(body: Body, format: FormatName, kind: ReasoningKind): number {
  if (format === 'responses') return matches.responses(body, kind) ? 1 : 0;
  if (body.role !== 'assistant') return 0;
  if (format === 'openai') return reasoningFields(body, kind).length;
  return contentOf(body).filter((part) => matches[format](part, kind)).length;
}

const reasoningFields = (body: Body, kind: ReasoningKind): string[] =>
  [...signedFields, ...(kind === 'all' ? plainFields : [])].filter(
    (field) => body[field] !== undefined && body[field] !== null && body[field] !== '',
  );

/**
 * The message without its reasoning, in a valid form; null when nothing remains. Ids that refer to the reasoning at the
 * provider are removed with it.
 */
export function withoutReasoning(body: Body, format: FormatName, kind: ReasoningKind): Body | null {
  if (countReasoning(body, format, kind) === 0) return body;
  if (format === 'responses') return null;
  if (format === 'openai') {
    const gone = new Set(reasoningFields(body, kind));
    return formats.openai.mend(Object.fromEntries(Object.entries(body).filter(([key]) => !gone.has(key))));
  }
  const content = contentOf(body).filter((part) => !matches[format](part, kind));
  return formats[format].mend({
    ...body,
    content: format === 'ai-sdk' ? content.map(withoutItemId) : content,
  });
}

/** An item of a response whose reasoning is not sent: with its id, the provider would miss that reasoning. */
export function withoutId(item: Body): Body {
  const { id: _, ...rest } = item;
  return rest;
}

function withoutItemId(part: unknown): unknown {
  if (!isBody(part)) return part;
  const clean = (of: unknown): unknown =>
    isBody(of) && isBody(of.openai) ? { ...of, openai: withoutKey(of.openai, 'itemId') } : of;
  const changed = { ...part };
  for (const key of ['providerOptions', 'providerMetadata']) if (key in part) changed[key] = clean(part[key]);
  return changed;
}

const withoutKey = (body: Body, key: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
