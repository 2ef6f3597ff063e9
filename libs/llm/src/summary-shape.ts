import { summaryFieldNames, type SummaryFields } from '@spillway/engine';
import { z } from 'zod';

/** What a summary must look like: the five fields, or a policy's own JSON Schema of an object (AgentScope). */
export interface SummaryShape {
  /** As JSON Schema, for a model that is asked for structured output. */
  jsonSchema: Record<string, unknown>;
  /** The fields of an answer, as text. Throws a message that says what is wrong with it. */
  read(answer: unknown): SummaryFields;
  isDefault: boolean;
}

const five = Object.fromEntries(summaryFieldNames.map((name) => [name, z.string()]));

export const defaultShape: SummaryShape = {
  jsonSchema: z.toJSONSchema(z.strictObject(five)),
  // A field too many is no reason to throw a summary away.
  read: (answer) => saying(textsOf(checked(z.object(five), answer))),
  isDefault: true,
};

/** Throws when the schema is none, or not of an object with properties. */
export function shapeOf(schema: Record<string, unknown> | null): SummaryShape {
  if (schema === null) return defaultShape;
  const properties = schema.properties;
  if (schema.type !== 'object' || typeof properties !== 'object' || properties === null)
    throw new Error('must be a JSON Schema of an object with properties');
  if (JSON.stringify(schema).includes('"pattern"')) throw new Error('must not use patterns');
  const validator = z.fromJSONSchema(schema);
  return {
    jsonSchema: schema,
    read: (answer) => saying(textsOf(checked(validator, answer))),
    isDefault: false,
  };
}

function checked(validator: z.ZodType, answer: unknown): Record<string, unknown> {
  const parsed = validator.safeParse(answer);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`the answer does not fit its schema: /${issue?.path.join('/')} ${issue?.message}`);
  }
  return parsed.data as Record<string, unknown>;
}

/** Empty fields are fine, but not all of them: that would be a summary that forgets everything. */
function saying(fields: SummaryFields): SummaryFields {
  if (Object.values(fields).every((text) => text.trim() === '')) throw new Error('the answer says nothing');
  return fields;
}

/** Fields are text: lists and objects are shown as JSON. What Postgres could not store is taken out. */
const textsOf = (fields: Record<string, unknown>): SummaryFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\0', '').toWellFormed(),
    ]),
  );
