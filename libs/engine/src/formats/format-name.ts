/** The ways to write messages, by the name a caller gives. */
export const formatNames = ['openai', 'responses', 'anthropic', 'ai-sdk'] as const;
export type FormatName = (typeof formatNames)[number];
