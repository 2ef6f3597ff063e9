import { base64Of, ownMessages, ownResults } from '@spillway/client/agent';

/** A part of a message, in a prompt of Mastra and in a model message of the AI SDK. */
export interface Part {
  type: string;
  [key: string]: unknown;
}

/** A message of a prompt as Mastra gives it to the model, whatever the version of the model's specification. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | Part[];
}

const isReasoning = ({ type }: Part): boolean => type === 'reasoning';

/** Returns the text of the system messages of a prompt, or undefined without any. */
export function systemOf(prompt: readonly PromptMessage[]): string | undefined {
  const texts = prompt.flatMap(({ role, content }) => (role === 'system' ? [content as string] : []));
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

/**
 * Returns the messages of a prompt as model messages of the AI SDK in JSON. A prompt has the same roles and parts, but
 * holds files as bytes and links as URL objects.
 */
export const historyOf = (prompt: readonly PromptMessage[]): object[] =>
  prompt.filter(({ role }) => role !== 'system').map(jsonMessage);

function jsonMessage({ role, content }: PromptMessage): object {
  return {
    role,
    content: typeof content === 'string' ? content : content.map((part) => jsonPart(own(part))),
  };
}

/** Leaves out what Mastra adds for itself: the time of a text, which differs when the caller passes it again. */
function own({ providerOptions, ...part }: Part): Part {
  const { mastra: _, ...others } = (providerOptions ?? {}) as Record<string, unknown>;
  if (part.type === 'tool-result') delete part.input;
  return Object.keys(others).length === 0 ? part : { ...part, providerOptions: others };
}

/** Files of version 4 of the specification say whether they have data or a link; the AI SDK's parts do not. */
function jsonPart(part: Part): Part {
  if (part.type !== 'file') return part;
  const { type, data, url } = (isTagged(part.data) ? part.data : part) as Part;
  return { ...part, data: textOf(type === 'url' ? url : data) };
}

const isTagged = (data: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  'type' in data &&
  (data.type === 'data' || data.type === 'url');

const textOf = (data: unknown): string =>
  data instanceof Uint8Array ? base64Of(data) : data instanceof URL ? data.href : String(data);

/**
 * Returns the messages of a context as a prompt, after the system messages of the caller's prompt. What the caller has
 * is the caller's own object, so that nothing is lost that Mastra or the provider's package put there: stubs, notes and
 * summaries are new.
 */
export function contextPrompt(
  context: readonly object[],
  system: string | null,
  prompt: readonly PromptMessage[],
): PromptMessage[] {
  const owns = ownMessages(
    context,
    prompt.map((message) => [message, message]),
  );
  const ownResult = ownResults(
    prompt.flatMap(({ role, content }) =>
      role === 'tool' ? partsOf(content).map((part) => [part, part] as const) : [],
    ),
  );
  const own = prompt.filter(({ role }) => role === 'system');
  const isSame = system === null || system === (systemOf(prompt) ?? '');
  return [
    ...(isSame ? own : [{ role: 'system' as const, content: system }]),
    ...(context as PromptMessage[]).map((message, i): PromptMessage => {
      const parts = partsOf(message.content);
      if (message.role === 'tool')
        return { role: 'tool', content: parts.map((part) => ownResult(part) ?? part) };
      const mine = owns[i];
      return mine ? withReasoningOf(mine, parts) : { role: message.role, content: parts };
    }),
  ];
}

const partsOf = (content: string | Part[]): Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** Leaves reasoning out where the context does: its provider would refuse it. */
function withReasoningOf(own: PromptMessage, parts: readonly Part[]): PromptMessage {
  const { role, content } = own;
  if (typeof content === 'string' || !content.some(isReasoning) || parts.some(isReasoning)) return own;
  return { ...own, role, content: content.filter((part) => !isReasoning(part)) };
}
