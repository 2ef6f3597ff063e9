import { mcpAnswerSchemas } from '@spillway/contracts';
import { z } from 'zod';

type JsonSchema = { type: 'object' } & Record<string, unknown>;

/** Keywords that a client does not need. A later version may add properties, so others are allowed. */
const left: ReadonlySet<string> = new Set([
  ...['$schema', 'additionalProperties', 'format', 'pattern'],
  ...['minLength', 'maxLength', 'minimum', 'maximum'],
]);

/** One `type` in each schema: some hosts pass schemas on to providers that take no list of types. */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, ...rest } = schema as Record<string, unknown>;
  const kept = Object.entries(rest).filter(([keyword]) => !left.has(keyword));
  const others = Object.fromEntries(kept.map(([keyword, value]) => [keyword, portable(value)]));
  if (Array.isArray(type)) return { ...others, anyOf: type.map((one: unknown) => ({ type: one })) };
  return type === undefined ? others : { type: portable(type), ...others };
}

/** The JSON Schema of what each tool answers as data. */
export const answerSchemas: Partial<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(mcpAnswerSchemas).map(([tool, schema]) => [
    tool,
    portable(z.toJSONSchema(schema)) as JsonSchema,
  ]),
);
