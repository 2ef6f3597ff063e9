import type { FormatName } from '../messages/format-name.js';

/** A tool as a model is told of it, in no provider's form. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  parameters: Record<string, unknown>;
}

/** Writes a tool as the API of a format takes it in `tools`. */
export const toolIn: Record<FormatName, (tool: ToolDefinition) => Record<string, unknown>> = {
  openai: (tool) => ({ type: 'function', function: tool }),
  responses: (tool) => ({ type: 'function', ...tool, strict: false }),
  anthropic: ({ name, description, parameters }) => ({ name, description, input_schema: parameters }),
  'ai-sdk': ({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
  }),
};

/** The name of a tool in any of these forms; null for what has none, such as a provider's own tools. */
export function toolNameOf(tool: unknown): string | null {
  const { name, function: called } = Object(tool) as { name?: unknown; function?: { name?: unknown } };
  const named = typeof name === 'string' ? name : called?.name;
  return typeof named === 'string' ? named : null;
}
