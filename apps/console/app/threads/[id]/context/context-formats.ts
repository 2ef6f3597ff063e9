/** The formats of a context, by the API's names. */
export const contextFormats = [
  { value: 'openai', label: 'OpenAI chat' },
  { value: 'responses', label: 'OpenAI Responses' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'ai-sdk', label: 'AI SDK' },
] as const;

export type FormatName = (typeof contextFormats)[number]['value'];

export const formatNamed = (name: string | null): FormatName =>
  contextFormats.find((format) => format.value === name)?.value ?? 'openai';
