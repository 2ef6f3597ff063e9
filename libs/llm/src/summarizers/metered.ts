import type { ModelUsage } from '@spillway/engine';
import { wrapLanguageModel, type LanguageModel } from 'ai';

/** The same model; `spent` is told what each answer took, before anybody judges whether it is of use. */
export function metered(model: LanguageModel, spent: (usage: ModelUsage) => void): LanguageModel {
  if (typeof model === 'string') throw new TypeError('A model is metered by itself, not by its name.');
  return wrapLanguageModel({
    model,
    middleware: {
      wrapGenerate: async ({ doGenerate }) => {
        const result = await doGenerate();
        const { inputTokens, outputTokens } = result.usage;
        // A provider that says nothing of usage has no numbers to add; zeros would read as a call for free.
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
