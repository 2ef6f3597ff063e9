import { summaryFieldNames, type SummaryFields } from '@spillway/engine';
import { mismatch } from './summary-schema/mismatch.js';
import { schemaProblems, type SummarySchema } from './summary-schema/summary-schema.js';

/** The form of a summary: the five fields, or a policy's own JSON Schema of an object (AgentScope). */
export interface SummaryShape {
  /** As JSON Schema, for structured output. */
  jsonSchema: Record<string, unknown>;
  /** The fields of an answer, as text. Throws an error that describes a mismatch. */
  read(answer: unknown): SummaryFields;
}

const fiveFields = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: Object.fromEntries(summaryFieldNames.map((name) => [name, { type: 'string' as const }])),
  required: [...summaryFieldNames],
  additionalProperties: false,
};

export const defaultShape: SummaryShape = {
  jsonSchema: fiveFields,
  // Extra fields are dropped: the summary is still usable.
  read: (answer) => {
    const { properties, required } = fiveFields;
    const fields = checked({ type: 'object', properties, required }, answer);
    return saying(textsOf(Object.fromEntries(required.map((name) => [name, fields[name]]))));
  },
};

/** Throws when the schema uses unsupported parts: see summary-schema.ts. */
export function shapeOf(schema: Record<string, unknown> | null): SummaryShape {
  if (schema === null) return defaultShape;
  const [problem] = schemaProblems(schema);
  if (problem) throw new Error(`${problem.path} ${problem.message}`.trim());
  return {
    jsonSchema: schema,
    read: (answer) => saying(textsOf(checked(schema, answer))),
  };
}

function checked(schema: SummarySchema, answer: unknown): Record<string, unknown> {
  const wrong = mismatch(schema, answer);
  if (wrong !== null) throw new Error(`the answer does not fit its schema: ${wrong.trim()}`);
  return answer as Record<string, unknown>;
}

/** Empty fields are valid, but not all of them: such a summary would lose everything. */
function saying(fields: SummaryFields): SummaryFields {
  if (Object.values(fields).every((text) => text.trim() === '')) throw new Error('the answer says nothing');
  return fields;
}

/** Fields are text: arrays and objects are shown as JSON. Characters that Postgres cannot store are removed. */
const textsOf = (fields: Record<string, unknown>): SummaryFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\0', '').toWellFormed(),
    ]),
  );
