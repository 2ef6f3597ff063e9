import type { Schemas } from '@spillway/client';

/** An API that a project can have an upstream for. */
export interface Provider {
  name: Schemas['Upstream']['provider'];
  label: string;
  /** Where the provider itself answers. */
  baseUrl: string;
}

export const providers: readonly Provider[] = [
  { name: 'openai', label: 'OpenAI', baseUrl: 'https://api.openai.com/v1' },
  { name: 'anthropic', label: 'Anthropic', baseUrl: 'https://api.anthropic.com/v1' },
  { name: 'google', label: 'Google', baseUrl: 'https://generativelanguage.googleapis.com/v1beta' },
];
