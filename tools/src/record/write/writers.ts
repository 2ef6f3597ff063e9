import { writeAiSdk } from './ai-sdk.js';
import { writeAnthropic } from './anthropic.js';
import { writeOpenAI } from './openai.js';
import { writeResponses } from './responses.js';
import type { Write } from './turn.js';

export type WrittenFormat = 'openai' | 'anthropic' | 'responses' | 'ai-sdk';

/**
 * How each format is written, from its provider's documentation. The engine has code for it, too, and these samples
 * test that code: so it is not used here.
 */
export const writers: Record<WrittenFormat, Write> = {
  openai: writeOpenAI,
  anthropic: writeAnthropic,
  responses: writeResponses,
  'ai-sdk': writeAiSdk,
};
