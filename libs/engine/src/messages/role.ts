/** Who speaks. `developer` is OpenAI's newer name for `system`. */
export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

export const isSystem = (entry: { role: Role }): boolean =>
  entry.role === 'system' || entry.role === 'developer';
