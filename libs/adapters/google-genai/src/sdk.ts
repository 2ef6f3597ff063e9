/**
 * What the adapter uses of Google's Gen AI SDK. Its own types are not imported, because it brings 30 packages, needs a
 * newer Node.js than this repository, and is installed in its users' projects. A test compiles calls against the real
 * types.
 */

/** The model's call of a function. */
export interface FunctionCall {
  id?: string;
  name?: string;
  args?: Record<string, unknown>;
}

/** A part with the result of a function. */
export interface FunctionPart {
  functionResponse?: { id?: string; name?: string; response?: Record<string, unknown> };
}

export interface Declaration {
  name?: string;
  description?: string;
  parametersJsonSchema?: unknown;
}

/** A tool that declares functions. */
export interface Declarations {
  functionDeclarations?: Declaration[];
}

/** A tool whose functions the SDK runs by itself. */
export interface CallableTool {
  tool(): Promise<Declarations>;
  callTool(calls: FunctionCall[]): Promise<FunctionPart[]>;
}

/** The config of a model call, as far as it matters here. */
export interface Config {
  tools?: readonly (CallableTool | object)[];
  /** The cache holds the tools, and the request may have none. */
  cachedContent?: string;
  abortSignal?: AbortSignal;
  httpOptions?: { fetch?: typeof fetch };
}
