import type { GeminiContent, GeminiFunctions } from './content.js';

/** Whether a tool of a request to Gemini declares functions, and is none of Google's own. */
export const isGeminiFunctions = (tool: unknown): tool is GeminiFunctions =>
  typeof tool === 'object' &&
  tool !== null &&
  Array.isArray((tool as { functionDeclarations?: unknown }).functionDeclarations);

/** Returns the functions of a request to Gemini as the AI SDK declares tools, to be counted. */
export const geminiTools = (tools: readonly unknown[] = []): object[] =>
  tools.filter(isGeminiFunctions).flatMap(({ functionDeclarations }) =>
    functionDeclarations.map(({ name, description, parameters, parametersJsonSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parametersJsonSchema ?? parameters ?? { type: 'object' },
    })),
  );

/** Returns the text of a system instruction of Gemini's API: a text, a content, or parts. Undefined without one. */
export function geminiSystem(instruction: unknown): string | undefined {
  if (instruction === undefined || typeof instruction === 'string') return instruction;
  const { parts } = instruction as GeminiContent;
  const texts = (parts ?? [instruction]).flat() as ({ text?: string } | string)[];
  return texts.map((part) => (typeof part === 'string' ? part : (part.text ?? ''))).join('\n');
}
