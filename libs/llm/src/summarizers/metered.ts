import type { ModelUsage } from '@spillway/engine';
import { wrapLanguageModel, type LanguageModel } from 'ai';

/** The same model; `spent` receives the usage of each answer before it is validated. */
export function metered(model: LanguageModel, spent: (usage: ModelUsage) => void): LanguageModel {
  if (typeof model === 'string') throw new TypeError('A model is metered by itself, not by its name.');
  return wrapLanguageModel({
    model,
    middleware: {
      wrapGenerate: async ({ doGenerate }) => {
        const result = await doGenerate();
        const { inputTokens, outputTokens } = result.usage;
        // A provider without usage reports no numbers; zeros would look like a free call.
        if (inputTokens.total !== undefined || outputTokens.total !== undefined) {
          spent({
            inputTokens: inputTokens.total ?? 0,
            outputTokens: outputTokens.total ?? 0,
            cachedInputTokens: inputTokens.cacheRead ?? 0,
          });
        }
        return result;
      },
    },
  });
}
