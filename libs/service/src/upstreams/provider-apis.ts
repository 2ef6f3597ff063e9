/** Whose API a model is called by. Many providers speak that of OpenAI. */
export type UpstreamProvider = 'openai' | 'anthropic';

/** Where the providers themselves answer. */
export const defaultBaseUrl: Record<UpstreamProvider, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
};
