/** A content block of LangChain, or a part of the AI SDK. */
export interface Part {
  type: string;
  [key: string]: unknown;
}

export const isReasoning = ({ type }: { type: string }): boolean => /reasoning|thinking/.test(type);

/** Blocks that repeat what `tool_calls` of the message says. */
const repeatsCall = /^(tool_use|tool_call|tool_call_chunk|function_call|input_json_delta)$/;

/** Returns the content of a message as parts of the AI SDK. Blocks that have no such part stay as they are. */
export function partsOf(content: string | readonly object[]): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return (content as readonly Part[]).filter(({ type }) => !repeatsCall.test(type)).map(partOf);
}

function partOf(block: Part): Part {
  const { type, thinking, reasoning, signature, image_url: image } = block;
  if (type === 'text') return { type, text: block.text };
  if (type === 'thinking')
    return { type: 'reasoning', text: thinking, providerOptions: { anthropic: { signature } } };
  if (type === 'redacted_thinking')
    return { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: block.data } } };
  if (type === 'server_tool_use') {
    const { id: toolCallId, name: toolName, input } = block;
    return { type: 'tool-call', toolCallId, toolName, input, providerExecuted: true };
  }
  const ranBy = /^(?!mcp_)(.+)_tool_result$/.exec(type)?.[1];
  if (ranBy !== undefined) {
    const output = { type: 'json', value: block.content };
    return { type: 'tool-result', toolCallId: block.tool_use_id, toolName: ranBy, output };
  }
  if (type === 'input_audio') {
    const { data, format } = block.input_audio as { data: string; format: string };
    return { type: 'file', mediaType: `audio/${format}`, data };
  }
  if (type === 'reasoning') return { type, text: typeof reasoning === 'string' ? reasoning : '' };
  if (type === 'image_url')
    return { type: 'image', image: typeof image === 'string' ? image : (image as { url: string }).url };
  return type === 'image' && block.image === undefined ? imageOf(block) : block;
}

/** Blocks of Anthropic have the image in `source`. One that is an id at the provider has no other form. */
function imageOf(block: Part): Part {
  const {
    url,
    data,
    mimeType,
    mime_type: olderType,
    media_type: ofAnthropic,
  } = { ...block, ...sourceOf(block) };
  const image = url ?? data;
  if (image === undefined) return block;
  const mediaType = mimeType ?? olderType ?? ofAnthropic;
  return { type: 'image', image, ...(mediaType === undefined ? {} : { mediaType }) };
}

const sourceOf = ({ source }: Part) => source as Partial<Part> | undefined;

/** Returns a part of the AI SDK as a content block. */
export function blockOf(part: Part): Part {
  const { type, image, mediaType = 'image/png' } = part;
  if (type !== 'image' || typeof image !== 'string') return part;
  const url = /^(https?|data):/.test(image) ? image : `data:${String(mediaType)};base64,${image}`;
  return { type: 'image_url', image_url: { url } };
}

/** Returns the content of a tool message as the output of a tool result. */
export function resultOf(content: string | readonly object[], isError: boolean): Part {
  if (typeof content !== 'string' && (content as readonly Part[]).some(({ type }) => type !== 'text'))
    return { type: 'content', value: partsOf(content) };
  const text =
    typeof content === 'string' ? content : (content as readonly Part[]).map((part) => part.text).join('\n');
  return { type: isError ? 'error-text' : 'text', value: text };
}

/** Returns the output of a tool result as the content of a tool message. */
export function textOfResult({ type, value }: Part): string | Part[] {
  if (typeof value === 'string') return value;
  return type === 'content' ? (value as Part[]).map(blockOf) : JSON.stringify(value);
}
