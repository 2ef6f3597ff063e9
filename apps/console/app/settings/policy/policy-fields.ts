import type { Schemas } from '@spillway/client';

export type PolicyInput = Schemas['PolicyInput'];
export const groups = ['context', 'summary', 'outputs', 'chat'] as const;
export type Group = (typeof groups)[number];

export type FieldKind = 'number' | 'ratio' | 'switch' | 'choice' | 'list' | 'text' | 'long text' | 'json';

/** One key of a policy, as its JSON Schema describes it. */
export interface PolicyField {
  /** As `context.trigger_ratio`. */
  path: string;
  group: Group;
  key: string;
  kind: FieldKind;
  description: string;
  /** Whether it is nullable. */
  nullable: boolean;
  whole: boolean;
  min: number | undefined;
  max: number | undefined;
  choices: string[];
}

interface Property {
  type?: string;
  enum?: string[];
  anyOf?: Property[];
  properties?: Record<string, Property>;
  description?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  maxLength?: number;
}

/** The fields of a policy's form, in the schema's order. */
export function readFields(schema: Schemas['PolicySchema']): PolicyField[] {
  const root = schema as Property;
  return groups.flatMap((group) =>
    Object.entries(root.properties?.[group]?.properties ?? {}).map(([key, property]) =>
      fieldOf(group, key, property),
    ),
  );
}

function fieldOf(group: Group, key: string, property: Property): PolicyField {
  const nullable = property.anyOf?.some(({ type }) => type === 'null') ?? false;
  const value = property.anyOf?.find(({ type }) => type !== 'null') ?? property;
  const step = key.endsWith('_ratio') ? 0.01 : 0.1;
  const above = value.exclusiveMinimum;
  const below = value.exclusiveMaximum;
  return {
    path: `${group}.${key}`,
    group,
    key,
    kind: kindOf(key, value),
    description: property.description ?? '',
    nullable,
    whole: value.type === 'integer',
    min: value.minimum ?? (above === undefined ? undefined : above + step),
    max: value.maximum ?? (below === undefined ? undefined : below - step),
    choices: value.enum ?? [],
  };
}

function kindOf(key: string, { type, enum: choices, maxLength }: Property): FieldKind {
  if (choices) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'array') return 'list';
  if (type === 'object') return 'json';
  if (type === 'string') return maxLength !== undefined && maxLength > 1_000 ? 'long text' : 'text';
  return key.endsWith('_ratio') ? 'ratio' : 'number';
}

/** What each preset sets. */
export const presetsOf = (schema: Schemas['PolicySchema']): Record<string, PolicyInput> =>
  (schema['x-presets'] ?? {}) as Record<string, PolicyInput>;
