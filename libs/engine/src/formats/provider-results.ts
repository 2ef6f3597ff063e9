import { textPart, type Body, type ResultPart } from '../messages/message.js';
import { isBody, stringOf } from './parts.js';

/** Where the text of a result stands that the provider made itself: how to read it, and how to replace it. */
export interface ProviderText {
  /** Its texts in order; null where the result has another shape, is an error, or is sealed. */
  textsIn(block: Body): string[] | null;
  /** The same block with one text in place of them. What is no text (files, images, exit codes) stays. */
  withText(block: Body, text: string): Body;
}

/** By the type of the block. A type that is not listed is never changed: its provider may seal or check it. */
export type ProviderTexts = ReadonlyMap<unknown, ProviderText>;

const withoutEmpty = (texts: readonly unknown[]): string[] =>
  texts.map(stringOf).filter((text) => text !== '');

/** What a program printed, as Anthropic's tools of code execution return it. */
const printed: ProviderText = {
  textsIn: ({ stdout, stderr }) => withoutEmpty([stdout, stderr]),
  withText: (result, text) => ({ ...result, stdout: text, stderr: '' }),
};

/**
 * Results of Anthropic's tools, by the type of the content. Code whose printed text is encrypted and found pages have
 * other types, and a fetched page with citations is left alone: the answer cites it by its characters.
 */
const anthropicContents: ProviderTexts = new Map<unknown, ProviderText>([
  ['code_execution_result', printed],
  ['bash_code_execution_result', printed],
  [
    'text_editor_code_execution_view_result',
    {
      textsIn: ({ file_type: type, content }) =>
        type === 'text' && typeof content === 'string' ? [content] : null,
      withText: (result, text) => ({ ...result, content: text }),
    },
  ],
  [
    'web_fetch_result',
    {
      textsIn: (result) => {
        const source = sourceOf(result);
        const isCited =
          isBody(result.content) &&
          isBody(result.content.citations) &&
          result.content.citations.enabled === true;
        return !isCited && source?.type === 'text' ? [stringOf(source.data)] : null;
      },
      withText: (result, text) => ({
        ...result,
        content: { ...(result.content as Body), source: { ...sourceOf(result), data: text } },
      }),
    },
  ],
]);

const sourceOf = ({ content }: Body): Body | undefined =>
  isBody(content) && isBody(content.source) ? content.source : undefined;

const textsOfContent = (content: unknown): string[] | null =>
  (isBody(content) && anthropicContents.get(content.type)?.textsIn(content)) || null;

const replacedContent = (content: Body, text: string): Body =>
  anthropicContents.get(content.type)!.withText(content, text);

const inContent: ProviderText = {
  textsIn: ({ content }) => textsOfContent(content),
  withText: (block, text) => ({ ...block, content: replacedContent(block.content as Body, text) }),
};

/** Texts of a list of text blocks; null when it has anything else. */
const textsOfBlocks = (content: unknown): string[] | null =>
  Array.isArray(content) && content.every((one) => isBody(one) && one.type === 'text')
    ? content.map((one) => stringOf((one as Body).text))
    : null;

export const anthropicTexts: ProviderTexts = new Map<unknown, ProviderText>([
  [
    'mcp_tool_result',
    {
      textsIn: ({ content }) => (typeof content === 'string' ? [content] : textsOfBlocks(content)),
      withText: (block, text) => ({
        ...block,
        content: typeof block.content === 'string' ? text : [{ type: 'text', text }],
      }),
    },
  ],
  ['code_execution_tool_result', inContent],
  ['bash_code_execution_tool_result', inContent],
  ['text_editor_code_execution_tool_result', inContent],
  ['web_fetch_tool_result', inContent],
]);

const isLogs = (output: unknown): boolean => isBody(output) && output.type === 'logs';

export const responsesTexts: ProviderTexts = new Map<unknown, ProviderText>([
  [
    'mcp_call',
    {
      textsIn: ({ output }) => (typeof output === 'string' ? [output] : null),
      withText: (item, output) => ({ ...item, output }),
    },
  ],
  [
    'code_interpreter_call',
    {
      textsIn: ({ outputs }) =>
        Array.isArray(outputs) ? outputs.filter(isLogs).map((output: Body) => stringOf(output.logs)) : null,
      withText: (item, logs) => ({
        ...item,
        outputs: [{ type: 'logs', logs }, ...(item.outputs as unknown[]).filter((output) => !isLogs(output))],
      }),
    },
  ],
  [
    'file_search_call',
    {
      textsIn: ({ results }) =>
        Array.isArray(results)
          ? results.filter(isBody).flatMap(({ filename, text }) => withoutEmpty([filename, text]))
          : null,
      withText: (item, text) => ({ ...item, results: [{ text }] }),
    },
  ],
]);

/**
 * The SDK checks what a provider returned before it passes it back, so its shape stays. OpenAI's own results are not
 * among these: the SDK sends a reference to what OpenAI stores, or nothing.
 */
export const aiSdkTexts: ProviderTexts = new Map<unknown, ProviderText>([
  [
    'tool-result',
    {
      textsIn: ({ output }) => {
        if (!isBody(output)) return null;
        if (output.type === 'text') return [stringOf(output.value)];
        return output.type === 'json' ? (textsOfBlocks(output.value) ?? textsOfContent(output.value)) : null;
      },
      withText: (part, text) => {
        const output = part.output as Body;
        return { ...part, output: { ...output, value: replacedValue(output.value, text) } };
      },
    },
  ],
]);

function replacedValue(value: unknown, text: string): unknown {
  if (isBody(value)) return replacedContent(value, text);
  return Array.isArray(value) ? [{ type: 'text', text }] : text;
}

/** The result that a provider made itself; undefined where it must stay as it is. */
export function providerResult(
  texts: ProviderTexts,
  block: Body,
  of: { callId: string; name: string | null },
): ResultPart | undefined {
  const found = texts.get(block.type)?.textsIn(block);
  if (!found) return undefined;
  const isError = block.is_error === true;
  return { type: 'result', ...of, parts: found.map(textPart), isError };
}

export const isProviderResult = (texts: ProviderTexts, block: Body): boolean =>
  (texts.get(block.type)?.textsIn(block) ?? null) !== null;

/** The same result with another text; null when the content is no result of a provider. */
export const withProviderText = (texts: ProviderTexts, block: unknown, text: string): Body | null =>
  isBody(block) && isProviderResult(texts, block) ? texts.get(block.type)!.withText(block, text) : null;
