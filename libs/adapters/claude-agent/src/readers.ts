import type { ReaderTool } from '@spillway/client/agent';
import { z } from 'zod';

interface Property {
  type: keyof typeof fields;
  enum?: [string, ...string[]];
  description?: string;
}

/** Returns the arguments of a reader tool as fields of zod, the form in which the SDK takes them. */
export const fieldsOf = ({ parameters }: ReaderTool): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(parameters.properties).map(([key, property]) => {
      const field = fieldOf(property as Property);
      return [key, parameters.required?.includes(key) ? field : field.optional()];
    }),
  );

/** By the type that JSON Schema has for it. */
const fields = { string: () => z.string(), integer: () => z.int(), boolean: () => z.boolean() };

function fieldOf({ type, enum: values, description }: Property): z.ZodType {
  const field = values ? z.enum(values) : fields[type]();
  return description === undefined ? field : field.describe(description);
}
