import { writeAiSdk } from './ai-sdk.js';
import { writeAnthropic } from './anthropic.js';
import { writeOpenAI } from './openai.js';
import { writeResponses } from './responses.js';
import type { Write } from './turn.js';

export type WrittenFormat = 'openai' | 'anthropic' | 'responses' | 'ai-sdk';

/**
 * A writer for each format, from the provider's documentation. The engine's own code is not used, because these samples
 * test it.
 */
export const writers: Record<WrittenFormat, Write> = {
  openai: writeOpenAI,
  anthropic: writeAnthropic,
  responses: writeResponses,
  'ai-sdk': writeAiSdk,
};
