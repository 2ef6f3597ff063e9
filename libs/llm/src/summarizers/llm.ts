import type { LlmSettings } from '../llm-settings.js';
import type { ProviderWaits } from '../provider-gate.js';
import { ProviderGates } from '../provider-gates.js';
import { SummarizerError, type Summarizer } from '../summarizer.js';

/**
 * Summaries by a language model. The SDKs are loaded with the first summary, so that a process without one, such as the
 * API, does not load them.
 */
export function llmSummarizer(settings: LlmSettings, waits: ProviderWaits): Summarizer {
  const gates = new ProviderGates(waits);
  return {
    async summarize(input) {
      const name = input.model ?? settings.model;
      if (!name) {
        throw new SummarizerError('auth', 'No summary model is set: SPILLWAY_LLM_MODEL or summary.model.');
      }
      const { askModel } = await import('./ask-model.js');
      const gate = gates.of(input.projectId, name);
      return gate.pass(input.attempt, () => askModel(settings, name, input));
    },
  };
}
