import { jsonSchema, tool, type ToolSet } from 'ai';

/**
 * Tool schemas as callers post them (OpenAI chat, Responses, Anthropic), for a request that must start with the same
 * bytes as the agent's. None of them is executed. Unknown forms are left out.
 */
export const toolSet = (schemas: readonly unknown[]): ToolSet =>
  Object.fromEntries(
    schemas.flatMap((schema) => {
      const { name, description, parameters, input_schema: inputSchema } = functionOf(schema);
      const input = parameters ?? inputSchema;
      if (typeof name !== 'string' || typeof input !== 'object' || input === null) return [];
      const described = typeof description === 'string' ? { description } : {};
      return [[name, tool({ ...described, inputSchema: jsonSchema(input) })] as const];
    }),
  );

type Fields = Record<string, unknown>;
const functionOf = (schema: unknown): Fields => {
  const fields = (schema ?? {}) as Fields;
  return typeof fields.function === 'object' && fields.function !== null
    ? (fields.function as Fields)
    : fields;
};
