/** The message formats, by the value of `format`. */
export const formatNames = ['openai', 'responses', 'anthropic', 'ai-sdk'] as const;
export type FormatName = (typeof formatNames)[number];
