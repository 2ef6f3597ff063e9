import type { GeminiContent, GeminiUsage } from '@spillway/client/agent';

/**
 * What the adapter uses of the Agent Development Kit. Its own types are not imported, because its package takes 150 MB
 * and is installed in its users' projects, not here. A test compiles a plugin against the real types.
 */

export interface Config {
  systemInstruction?: unknown;
  tools?: unknown[];
}

/** A request to a model before it is sent. */
export interface LlmRequest {
  model?: string;
  contents: GeminiContent[];
  config?: Config;
  /** The tools that a call may name. */
  toolsDict: Record<string, unknown>;
}

export interface LlmResponse {
  content?: GeminiContent;
  /** A piece of a streamed answer, which comes whole later. */
  partial?: boolean;
  usageMetadata?: GeminiUsage;
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
