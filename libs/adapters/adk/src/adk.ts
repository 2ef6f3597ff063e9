/**
 * What the adapter uses of the Agent Development Kit. Its own types are not imported, because its package takes 150 MB
 * and is installed in its users' projects, not here. A test compiles a plugin against the real types.
 */

/** A part of a content: one of these fields says what it is. */
export interface Part {
  text?: string;
  /** The text is what the model thought. */
  thought?: boolean;
  /** In base64. Newer models of Gemini refuse a call of the current turn without it. */
  thoughtSignature?: string;
  functionCall?: { id?: string; name?: string; args?: Record<string, unknown> };
  functionResponse?: { id?: string; name?: string; response?: Record<string, unknown> };
  inlineData?: { data?: string; mimeType?: string };
  fileData?: { fileUri?: string; mimeType?: string };
  executableCode?: { code?: string; language?: string };
  codeExecutionResult?: { outcome?: string; output?: string };
}

/** A message of Gemini's API: of the `user`, who also brings the results of calls, or of the `model`. */
export interface Content {
  role?: string;
  parts?: Part[];
}

/** A function as a request declares it. */
export interface Declaration {
  name?: string;
  description?: string;
  parameters?: unknown;
  parametersJsonSchema?: unknown;
}

export interface Config {
  systemInstruction?: unknown;
  tools?: unknown[];
}

/** A request to a model before it is sent. */
export interface LlmRequest {
  model?: string;
  contents: Content[];
  config?: Config;
  /** The tools that a call may name. */
  toolsDict: Record<string, unknown>;
}

export interface LlmResponse {
  content?: Content;
  /** A piece of a streamed answer, which comes whole later. */
  partial?: boolean;
  usageMetadata?: { promptTokenCount?: number };
}

export interface Invocation {
  invocationId: string;
  session: { id: string };
  agent?: { name: string; rootAgent?: { name: string } };
}

export interface Context {
  invocationContext: Invocation;
  abortSignal?: AbortSignal;
}
