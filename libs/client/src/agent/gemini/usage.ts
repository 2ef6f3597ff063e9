/** What an answer of Gemini's API counts. Tokens of cached content are part of those of the prompt. */
export interface GeminiUsage {
  promptTokenCount?: number;
  cachedContentTokenCount?: number;
  candidatesTokenCount?: number;
  thoughtsTokenCount?: number;
}

/** Returns what Gemini counted, as the contract of appends takes it; undefined when it did not count the prompt. */
export function geminiUsage(counted: GeminiUsage | undefined): object | undefined {
  const { promptTokenCount, cachedContentTokenCount, candidatesTokenCount, thoughtsTokenCount } =
    counted ?? {};
  if (promptTokenCount === undefined) return undefined;
  return {
    input_tokens: promptTokenCount,
    output_tokens: (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0),
    input_tokens_details: { cached_tokens: cachedContentTokenCount ?? 0 },
  };
}
