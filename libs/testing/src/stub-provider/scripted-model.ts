/** A call of a tool that the scripted model makes. */
export interface ScriptedCall {
  name: string;
  args: Record<string, unknown>;
}

/** What the scripted model answers: text, or calls with or without text before them. */
export interface ScriptedReply {
  text?: string;
  calls?: readonly ScriptedCall[];
}

/** What a model has in front of it when it answers. */
export interface SeenRequest {
  /** Texts of the tool results in the request, in order. */
  results: readonly string[];
  /** Texts of the user's messages, in order. */
  asked: readonly string[];
  /** Names of the tools that the request offers. */
  tools: readonly string[];
  /** How many requests were accepted before this one. */
  step: number;
}

export type ScriptedModel = (seen: SeenRequest) => ScriptedReply;
