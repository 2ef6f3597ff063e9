export type LlmProvider = 'openai-compatible' | 'openai' | 'anthropic' | 'google';

export interface LlmSettings {
  provider: LlmProvider;
  baseUrl: string | null;
  apiKey: string | null;
  /** Used when a policy names no model. */
  model: string | null;
}
