import type { SchemaType, SummarySchema } from './summary-schema.js';

/**
 * Returns where an answer does not match a schema, as `/path message`; null when it matches. Each value is checked once
 * by each schema at its path, of which there are at most `schemaLimits.nodes`: linear in the answer.
 */
export function mismatch(schema: SummarySchema, value: unknown, path = ''): string | null {
  return (
    wrongType(schema, value, path) ??
    wrongValue(schema, value, path) ??
    (typeof value === 'string'
      ? outOf(lengthOf(value), schema.minLength, schema.maxLength, path, ' characters long')
      : null) ??
    (typeof value === 'number' ? outOf(value, schema.minimum, schema.maximum, path, '') : null) ??
    (Array.isArray(value) ? wrongItems(schema, value, path) : null) ??
    (typeOf(value) === 'object' ? wrongProperties(schema, value as Record<string, unknown>, path) : null) ??
    noChoice(schema, value, path)
  );
}

function typeOf(value: unknown): SchemaType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'string' | 'number' | 'boolean' | 'object';
}

function wrongType({ type }: SummarySchema, value: unknown, path: string): string | null {
  if (type === undefined) return null;
  const is = typeOf(value);
  const types = [type].flat();
  if (types.includes(is) || (Number.isInteger(value) && types.includes('integer'))) return null;
  return `${path} must be of type ${types.join(' or ')}, not ${is}`;
}

function wrongValue(schema: SummarySchema, value: unknown, path: string): string | null {
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `${path} is none of its enum`;
  if ('const' in schema && schema.const !== value) return `${path} is not its const`;
  return null;
}

function outOf(
  size: number,
  min: number | undefined,
  max: number | undefined,
  path: string,
  unit: string,
): string | null {
  if (min !== undefined && size < min) return `${path} is ${size}${unit}, less than ${min}`;
  if (max !== undefined && size > max) return `${path} is ${size}${unit}, more than ${max}`;
  return null;
}

function wrongItems(schema: SummarySchema, items: unknown[], path: string): string | null {
  const size = outOf(items.length, schema.minItems, schema.maxItems, path, ' items long');
  if (size !== null || schema.items === undefined) return size;
  for (const [i, item] of items.entries()) {
    const wrong = mismatch(schema.items, item, `${path}/${i}`);
    if (wrong !== null) return wrong;
  }
  return null;
}

function wrongProperties(schema: SummarySchema, value: Record<string, unknown>, path: string): string | null {
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path}/${missing} is missing`;
  const properties = schema.properties ?? {};
  for (const [name, held] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) {
      const wrong = mismatch(properties[name]!, held, `${path}/${name}`);
      if (wrong !== null) return wrong;
    } else if (schema.additionalProperties === false)
      return `${path}/${name.slice(0, 100)} is not a property`;
  }
  return null;
}

function noChoice({ anyOf }: SummarySchema, value: unknown, path: string): string | null {
  if (anyOf === undefined || anyOf.some((choice) => mismatch(choice, value, path) === null)) return null;
  return `${path} fits none of its anyOf`;
}

/** In code points, as JSON Schema counts. */
function lengthOf(text: string): number {
  let length = 0;
  for (const character of text) length += character === '' ? 0 : 1;
  return length;
}
