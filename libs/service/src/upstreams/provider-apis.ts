import type { LlmProvider } from '@spillway/llm';

/** Whose API a model is called by. Many providers speak that of OpenAI. */
export type UpstreamProvider = 'openai' | 'anthropic';

/** Where the providers themselves answer. */
export const defaultBaseUrl: Record<UpstreamProvider, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
};

/** Whose API each of the server's own providers speaks. Null: neither, so it has no proxy and no chat. */
export const apiSpokenBy: Record<LlmProvider, UpstreamProvider | null> = {
  'openai-compatible': 'openai',
  openai: 'openai',
  anthropic: 'anthropic',
  google: null,
};
