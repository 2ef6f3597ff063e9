/**
 * What the adapter uses of the Strands Agents SDK. Its own types are not imported, because its package brings 130 others
 * and is installed in its users' projects, not here. A test compiles an agent against the real types.
 */

/** A block of a message in JSON: one of these fields says what it is. Bytes are in base64. */
export interface Block {
  text?: string;
  toolUse?: { name: string; toolUseId: string; input: unknown; reasoningSignature?: string };
  toolResult?: { toolUseId: string; status: string; content: ResultBlock[] };
  reasoning?: { text?: string; signature?: string; redactedContent?: string };
  image?: Media;
  video?: Media;
  audio?: Media;
  document?: Media & { name?: string };
  citations?: { content?: { text?: string }[] };
  cachePoint?: unknown;
  guardContent?: { text?: { text: string } };
}

/** A block of a tool's result. */
export interface ResultBlock extends Pick<Block, 'text' | 'image' | 'video' | 'document'> {
  json?: unknown;
}

export interface Media {
  format: string;
  source: {
    bytes?: string;
    url?: string;
    text?: string;
    content?: { text?: string }[];
    location?: { uri: string };
  };
}

/** A message in JSON. */
export interface MessageJson {
  role: 'user' | 'assistant';
  content: Block[];
}

export interface StrandsMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly object[];
  toJSON(): object;
}

export interface ToolSpec {
  name: string;
  description: string;
  inputSchema?: unknown;
}

export interface ModelCallContext {
  readonly agent: { readonly cancelSignal: AbortSignal };
  readonly model: { readonly modelId?: string | undefined };
  readonly messages: readonly StrandsMessage[];
  readonly systemPrompt?: string | readonly object[];
  readonly toolSpecs: readonly ToolSpec[];
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cacheReadInputTokens?: number;
  cacheWriteInputTokens?: number;
}

export interface ModelCallResult {
  readonly result: {
    message: StrandsMessage;
    stopReason: string;
    metadata?: { usage?: Usage };
  };
}
