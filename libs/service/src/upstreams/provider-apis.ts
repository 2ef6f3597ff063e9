import type { LlmProvider } from '@spillway/llm';

/** Whose API a model is called by. Many providers speak that of OpenAI. */
export type UpstreamProvider = 'openai' | 'anthropic' | 'google';

/** Where the providers themselves answer. */
export const defaultBaseUrl: Record<UpstreamProvider, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

/** Whose API each of the server's own providers speaks. */
export const apiSpokenBy: Record<LlmProvider, UpstreamProvider> = {
  'openai-compatible': 'openai',
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
};
