import { keepFacts, roomForFacts } from '@spillway/engine';
import { llmSummarizer, providerWaits, type LlmProvider, type Summarizer } from '@spillway/llm';

/** Summaries by the provider that the environment names, completed by code as the service completes them. */
export function modelSummarizer(): Summarizer {
  const env = process.env;
  const provider = env.SPILLWAY_LLM_PROVIDER as LlmProvider | undefined;
  const model = env.SPILLWAY_LLM_MODEL ?? null;
  if (!provider || !model)
    throw new Error('--model needs SPILLWAY_LLM_PROVIDER, SPILLWAY_LLM_MODEL and what the provider needs.');
  const settings = {
    provider,
    model,
    baseUrl: env.SPILLWAY_LLM_BASE_URL ?? null,
    apiKey: env.SPILLWAY_LLM_API_KEY ?? null,
  };
  const llm = llmSummarizer(settings, providerWaits);
  return {
    async summarize(input) {
      const made = await llm.summarize({ ...input, model });
      const { prior, messages, count, maxTokens } = input;
      const room = roomForFacts(maxTokens, made.fields, count);
      return { ...made, fields: keepFacts(made.fields, { prior, messages, room, count }) };
    },
  };
}
