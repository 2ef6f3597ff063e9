/** A problem of a schema, with a JSON pointer. */
export interface SchemaProblem {
  path: string;
  message: string;
}

export const schemaTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;
export type SchemaType = (typeof schemaTypes)[number];

/**
 * The supported part of JSON Schema for summaries. It has no references and no regular expressions, so that an answer
 * is checked in linear time, and memory does not grow with the schema.
 */
export interface SummarySchema {
  type?: SchemaType | SchemaType[];
  properties?: Record<string, SummarySchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: SummarySchema;
  anyOf?: SummarySchema[];
  enum?: unknown[];
  const?: unknown;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

export const schemaLimits = { bytes: 32_768, depth: 8, nodes: 400, choices: 8, values: 200 } as const;

type Check = (value: unknown) => string | null;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

const text: Check = (value) => (typeof value === 'string' ? null : 'must be a text');
const number: Check = (value) => (typeof value === 'number' ? null : 'must be a number');
const boolean: Check = (value) => (typeof value === 'boolean' ? null : 'must be true or false');
const size: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? null : 'must be a whole number of 0 or more';
const list =
  (max: number, each: (value: unknown) => boolean, what: string): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= max && value.every(each)
      ? null
      : `must be a list of 1 to ${max} ${what}`;
const typeName = (value: unknown): boolean => schemaTypes.includes(value as SchemaType);

/** Every accepted keyword besides those that contain schemas. The first five only describe. */
const keywords: Readonly<Record<string, Check>> = {
  $schema: text,
  title: text,
  description: text,
  default: (value) => (isScalar(value) ? null : 'must be a text, a number, a boolean or null'),
  examples: list(schemaLimits.values, isScalar, 'texts, numbers, booleans or nulls'),
  type: (value) =>
    typeName(value) || list(schemaTypes.length, typeName, '')(value) === null
      ? null
      : `must be one or several of ${schemaTypes.join(', ')}`,
  required: list(schemaLimits.values, (name) => typeof name === 'string', 'names'),
  additionalProperties: boolean,
  enum: list(schemaLimits.values, isScalar, 'texts, numbers, booleans or nulls'),
  const: (value) => (isScalar(value) ? null : 'must be a text, a number, a boolean or null'),
  minLength: size,
  maxLength: size,
  minItems: size,
  maxItems: size,
  minimum: number,
  maximum: number,
};

/** Returns the problems of a summary's schema; empty when it is valid. */
export function schemaProblems(schema: Record<string, unknown>): SchemaProblem[] {
  const bytes = Buffer.byteLength(JSON.stringify(schema), 'utf8');
  if (bytes > schemaLimits.bytes)
    return [{ path: '', message: `has ${bytes} bytes; the limit is ${schemaLimits.bytes}` }];
  if (schema.type !== 'object' || !isObject(schema.properties) || Object.keys(schema.properties).length === 0)
    return [{ path: '', message: 'must be a JSON Schema of an object with properties' }];
  const walk: Walk = { nodes: 0, problems: [] };
  visit(schema, '', 1, walk);
  return walk.problems;
}

interface Walk {
  nodes: number;
  problems: SchemaProblem[];
}

function visit(schema: unknown, path: string, depth: number, walk: Walk): void {
  const add = (at: string, message: string) => walk.problems.push({ path: at, message });
  if (walk.problems.length > 0) return;
  if (!isObject(schema)) return void add(path, 'must be a JSON Schema, which is an object');
  if (++walk.nodes > schemaLimits.nodes)
    return void add(path, `is one schema too many; the limit is ${schemaLimits.nodes} altogether`);
  if (depth > schemaLimits.depth)
    return void add(path, `is nested too deep; the limit is ${schemaLimits.depth} levels`);
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${path}/${escaped(keyword)}`;
    if (keyword === 'properties') visitProperties(value, at, depth, walk);
    else if (keyword === 'items') visit(value, at, depth + 1, walk);
    else if (keyword === 'anyOf') visitChoices(value, at, depth, walk);
    else if (!Object.hasOwn(keywords, keyword)) add(at, `is not supported; supported are ${supported}`);
    else {
      const problem = keywords[keyword]!(value);
      if (problem !== null) add(at, problem);
    }
  }
}

function visitProperties(value: unknown, path: string, depth: number, walk: Walk): void {
  if (!isObject(value)) return void walk.problems.push({ path, message: 'must be an object of schemas' });
  for (const [name, schema] of Object.entries(value)) {
    const at = `${path}/${escaped(name)}`;
    if (name === '__proto__' || name.length > 200 || name.includes('\0') || !name.isWellFormed())
      walk.problems.push({ path: at, message: 'is not a name that a field may have' });
    else visit(schema, at, depth + 1, walk);
  }
}

function visitChoices(value: unknown, path: string, depth: number, walk: Walk): void {
  if (!Array.isArray(value) || value.length === 0 || value.length > schemaLimits.choices)
    return void walk.problems.push({ path, message: `must be 1 to ${schemaLimits.choices} schemas` });
  for (const [i, schema] of value.entries()) visit(schema, `${path}/${i}`, depth + 1, walk);
}

const supported = [...Object.keys(keywords), 'properties', 'items', 'anyOf'].sort().join(', ');
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
