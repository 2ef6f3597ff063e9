import type { FormatName } from '../messages/format-name.js';
import { formats } from './formats.js';
import { isBody, without } from './parts.js';
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

/** Where a format keeps reasoning. */
interface ReasoningPlace {
  /** Number of reasoning blocks in a message. */
  count: (body: Body, kind: ReasoningKind) => number;
  /** A message that has some without it; null when nothing remains. */
  without: (body: Body, kind: ReasoningKind) => Body | null;
}

/** Among the blocks of the assistant's content. `rest`: what else of the content refers to the reasoning. */
const amongBlocks = (
  format: 'anthropic' | 'ai-sdk',
  isReasoning: (block: Body, kind: ReasoningKind) => boolean,
  rest: (block: unknown) => unknown = (block) => block,
): ReasoningPlace => {
  const matches = (block: unknown, kind: ReasoningKind) => isBody(block) && isReasoning(block, kind);
  return {
    count: (body, kind) =>
      body.role === 'assistant' ? contentOf(body).filter((block) => matches(block, kind)).length : 0,
    without: (body, kind) => {
      const content = contentOf(body).filter((block) => !matches(block, kind));
      return formats[format].mend({ ...body, content: content.map(rest) });
    },
  };
};

const places: Record<FormatName, ReasoningPlace> = {
  anthropic: amongBlocks(
    'anthropic',
    (block, kind) =>
      block.type === 'redacted_thinking' ||
      block.type === 'compaction' ||
      (block.type === 'thinking' && (kind === 'all' || Boolean(block.signature))),
  ),
  'ai-sdk': amongBlocks(
    'ai-sdk',
    (part, kind) =>
      part.type === 'reasoning' &&
      (kind === 'all' || options(part).some((of) => sealKeys.some((key) => Boolean(of[key])))),
    withoutItemId,
  ),
  // A message is an item: reasoning is one of its own.
  responses: {
    count: (item, kind) =>
      isReasoningItem(item.type) &&
      (kind === 'all' || Boolean(item.encrypted_content) || typeof item.id === 'string')
        ? 1
        : 0,
    without: () => null,
  },
  openai: {
    count: (body, kind) => (body.role === 'assistant' ? reasoningFields(body, kind).length : 0),
    without: (body, kind) => {
      const gone = new Set(reasoningFields(body, kind));
      return formats.openai.mend(Object.fromEntries(Object.entries(body).filter(([key]) => !gone.has(key))));
    },
  },
};

const reasoningFields = (body: Body, kind: ReasoningKind): string[] =>
  [...signedFields, ...(kind === 'all' ? plainFields : [])].filter(
    (field) => body[field] !== undefined && body[field] !== null && body[field] !== '',
  );

/** Number of reasoning blocks in the message. */
export const countReasoning = (body: Body, format: FormatName, kind: ReasoningKind): number =>
  places[format].count(body, kind);

/**
 * The message without its reasoning, in a valid form; null when nothing remains. Ids that refer to the reasoning at the
 * provider are removed with it.
 */
export const withoutReasoning = (body: Body, format: FormatName, kind: ReasoningKind): Body | null =>
  countReasoning(body, format, kind) === 0 ? body : places[format].without(body, kind);

/** A message whose reasoning was left out before, without the ids in its content that refer to it. */
export const withoutItemIds = (body: Body, format: FormatName): Body =>
  format === 'ai-sdk' && Array.isArray(body.content)
    ? { ...body, content: contentOf(body).map(withoutItemId) }
    : body;

function withoutItemId(part: unknown): unknown {
  if (!isBody(part)) return part;
  const clean = (of: unknown): unknown =>
    isBody(of) && isBody(of.openai) ? { ...of, openai: without(of.openai, 'itemId') } : of;
  const changed = { ...part };
  for (const key of ['providerOptions', 'providerMetadata']) if (key in part) changed[key] = clean(part[key]);
  return changed;
}
