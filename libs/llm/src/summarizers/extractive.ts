import { extractSummary } from '@spillway/engine';
import type { Summarizer } from '../summarizer.js';

/** Needs no model and no key. */
export const extractiveSummarizer: Summarizer = {
  summarize: (input) => Promise.resolve({ fields: extractSummary(input), method: 'extractive', model: null }),
};
