/** A part of a content of Gemini's API: one of these fields says what it is. */
export interface GeminiPart {
  text?: string;
  /** The text is what the model thought. */
  thought?: boolean;
  /** In base64. Gemini 3 refuses a call of the current turn without the signature that came with it. */
  thoughtSignature?: string;
  functionCall?: { id?: string; name?: string; args?: Record<string, unknown> };
  functionResponse?: {
    id?: string;
    name?: string;
    response?: Record<string, unknown>;
    /** Images and files that the function returned. */
    parts?: GeminiMedia[];
  };
  inlineData?: { data?: string; mimeType?: string };
  fileData?: { fileUri?: string; mimeType?: string };
  executableCode?: { code?: string; language?: string };
  codeExecutionResult?: { outcome?: string; output?: string };
}

/** An image or a file that a function returned. */
export interface GeminiMedia {
  inlineData?: { data?: string; mimeType?: string; displayName?: string };
  fileData?: { fileUri?: string; mimeType?: string; displayName?: string };
}

/** A message of Gemini's API: of the `user`, who also brings the results of calls, or of the `model`. */
export interface GeminiContent {
  role?: string;
  parts?: GeminiPart[];
}

/** A function as a request of Gemini's API declares it. */
export interface GeminiDeclaration {
  name?: string;
  description?: string;
  parameters?: unknown;
  parametersJsonSchema?: unknown;
}

/** A tool of a request that declares functions. */
export interface GeminiFunctions {
  functionDeclarations: GeminiDeclaration[];
}
