import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { boundedFetch } from './bounded-fetch.js';
import type { LlmProvider, LlmSettings } from '../llm-settings.js';

/** A summary is a few thousand tokens; a longer answer is not one. */
const fetchSummary = boundedFetch(256 * 1024);

/** One entry per provider. */
export const providers: Record<LlmProvider, (settings: LlmSettings, model: string) => LanguageModel> = {
  'openai-compatible': (s, model) => speaksOpenAI('openai-compatible', s, '')(model),
  openai: (s, model) => speaksOpenAI('openai', s, 'https://api.openai.com/v1', asOpenAI)(model),
  anthropic: (s, model) => createAnthropic({ ...reach(s) })(model),
  google: (s, model) => createGoogleGenerativeAI({ ...reach(s) })(googleModelPath(model)),
};

/**
 * Returns a model's name as a path for Google's URLs. The SDK puts a name with a slash into the URL unchanged, so
 * everything but a known collection is encoded: a name cannot lead to another endpoint.
 */
export function googleModelPath(model: string): string {
  const [, collection = 'models', name = model] = /^(models|tunedModels)\/([^/]+)$/.exec(model) ?? [];
  return `${collection}/${encodeURIComponent(name)}`;
}

type Request = Record<string, unknown>;

const speaksOpenAI = (
  name: LlmProvider,
  s: LlmSettings,
  ownUrl: string,
  transformRequestBody = (body: Request): Request => body,
) =>
  createOpenAICompatible({
    name,
    baseURL: ownUrl,
    supportsStructuredOutputs: true,
    transformRequestBody,
    ...reach(s),
  });

/** OpenAI's reasoning models refuse the older name of this limit, which other servers know alone. */
const asOpenAI = ({ max_tokens: most, ...body }: Request): Request =>
  most === undefined ? body : { ...body, max_completion_tokens: most };

const reach = (s: LlmSettings) => ({
  fetch: fetchSummary,
  ...(s.baseUrl ? { baseURL: s.baseUrl } : {}),
  ...(s.apiKey ? { apiKey: s.apiKey } : {}),
});
