import type { AgentThread, ReaderTool } from '@spillway/client/agent';
import { z } from 'zod';
import type { ToolContext } from './opencode.js';

interface Property {
  type: keyof typeof fields;
  enum?: [string, ...string[]];
  description?: string;
}

/** Returns a reader tool in the form of opencode, whose tools have their arguments as fields of zod. */
export const toolOf = (
  { name, description, parameters }: ReaderTool,
  threadOf: (id: string) => AgentThread,
) => ({
  description,
  args: Object.fromEntries(
    Object.entries(parameters.properties).map(([key, property]) => {
      const field = fieldOf(property as Property);
      return [key, parameters.required?.includes(key) ? field : field.optional()];
    }),
  ),
  execute: (args: Record<string, unknown>, { sessionID, abort }: ToolContext): Promise<string> =>
    threadOf(sessionID).runTool(name, args, abort),
});

/** By the type that JSON Schema has for it. */
const fields = { string: () => z.string(), integer: () => z.int(), boolean: () => z.boolean() };

function fieldOf({ type, enum: values, description }: Property): z.ZodType {
  const field = values ? z.enum(values) : fields[type]();
  return description === undefined ? field : field.describe(description);
}
