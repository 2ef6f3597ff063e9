import type { SummaryProvider } from '@spillway/engine';

/** A provider of summaries that is a model. */
export type LlmProvider = Exclude<SummaryProvider, 'extractive'>;

export interface LlmSettings {
  provider: LlmProvider;
  baseUrl: string | null;
  apiKey: string | null;
  /** Used when a policy names no model. */
  model: string | null;
}
