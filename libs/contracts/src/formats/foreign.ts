type Format = 'openai' | 'responses' | 'anthropic' | 'ai-sdk';

/** A field or part of another format: most likely the `format` of the request is wrong. */
export interface ForeignPart {
  /** JSON pointer into the request. */
  path: string;
  what: string;
  looksLike: Format;
}

/** Types of content parts that belong to one format only. */
const partTypes: Record<Format, readonly string[]> = {
  openai: ['image_url', 'input_audio'],
  responses: [
    'input_text',
    'output_text',
    'input_image',
    'input_file',
    'function_call',
    'function_call_output',
  ],
  anthropic: ['tool_use', 'tool_result', 'redacted_thinking', 'server_tool_use', 'web_search_tool_result'],
  'ai-sdk': ['tool-call', 'tool-result', 'tool-approval-request', 'tool-approval-response'],
};

/** Fields of messages that belong to one format only. */
const fields: Record<string, Format> = { tool_calls: 'openai', tool_call_id: 'openai' };

const formatOfPart = new Map(
  Object.entries(partTypes).flatMap(([format, types]) => types.map((type) => [type, format as Format])),
);

/**
 * Finds parts of another format in posted messages. They would be stored as parts that no provider accepts: a result
 * would lose its call. Unknown types are accepted, because providers add new ones.
 */
export function foreignParts(format: Format, body: unknown): ForeignPart[] {
  const messages = isObject(body) && Array.isArray(body.messages) ? (body.messages as unknown[]) : [];
  return messages.flatMap((message, i) => {
    if (!isObject(message)) return [];
    const at = `/messages/${i}`;
    const found: ForeignPart[] = [];
    if (message.role === 'tool' && (format === 'anthropic' || format === 'responses'))
      found.push({ path: `${at}/role`, what: "role 'tool'", looksLike: toolMessageOf(message) });
    for (const [field, looksLike] of Object.entries(fields))
      if (looksLike !== format && message[field] !== undefined && message[field] !== null)
        found.push({ path: `${at}/${field}`, what: field, looksLike });
    const content = Array.isArray(message.content) ? (message.content as unknown[]) : [];
    const own = message.role === undefined ? foreignPart(format, message, at) : [];
    return [
      ...found,
      ...own,
      ...content.flatMap((part, n) => foreignPart(format, part, `${at}/content/${n}`)),
    ];
  });
}

function foreignPart(format: Format, part: unknown, at: string): ForeignPart[] {
  const type = isObject(part) ? part.type : undefined;
  const looksLike = typeof type === 'string' ? formatOfPart.get(type) : undefined;
  if (!looksLike || looksLike === format) return [];
  return [{ path: `${at}/type`, what: `'${String(type)}'`, looksLike }];
}

const toolMessageOf = (message: Record<string, unknown>): Format =>
  Array.isArray(message.content) && message.tool_call_id === undefined ? 'ai-sdk' : 'openai';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
