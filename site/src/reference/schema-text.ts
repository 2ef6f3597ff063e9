import type { Schema } from './document.js';

/** The page of the schemas that have a name. */
export const schemasPage = '/api/schemas';

/** Returns the anchor of a named schema. */
export const anchorOf = (name: string): string => `schema-${name.toLowerCase()}`;

/** A field of an object, with its path from the object. */
export interface Field {
  path: string;
  required: boolean;
  schema: Schema;
}

/** Returns the type of a schema in words, with links to named schemas. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!;
    return `[${name}](${schemasPage}#${anchorOf(name)})`;
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(' or ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(' or ');
  if (schema.allOf) return [...new Set(schema.allOf.map(typeText))].join(' and ');
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return 'any value';
  return types.map((type) => typeName(type, schema)).join(' or ');
}

function typeName(type: string, schema: Schema): string {
  if (type === 'array') return schema.items ? `array of ${typeText(schema.items)}` : 'array';
  if (type === 'object' && typeof schema.additionalProperties === 'object' && !schema.properties)
    return `object of ${typeText(schema.additionalProperties)}`;
  return type === 'string' && schema.format !== undefined ? `string (${schema.format})` : type;
}

/** Returns the fields of an object, those of unnamed objects within it and of lists of such included. */
export function fieldsOf(schema: Schema, prefix = ''): Field[] {
  const required = new Set(schema.required);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    return [
      { path, required: required.has(name), schema: field },
      ...fieldsOf(field, `${path}.`),
      ...(field.items ? fieldsOf(field.items, `${path}[].`) : []),
    ];
  });
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const inChoices = choices.flatMap((choice) => fieldsOf(choice, prefix));
  const paths = new Set(own.map(({ path }) => path));
  return [
    ...own,
    ...inChoices.filter(({ path }) => {
      const isNew = !paths.has(path);
      paths.add(path);
      return isNew;
    }),
  ];
}

/** Returns the description of a schema with its bounds and its default, for a cell of a table. */
export function meaningOf(schema: Schema): string {
  const bounds: [string, unknown][] = [
    ['min', schema.minimum],
    // Zod writes these for every integer: they bound nothing that a caller would send.
    ['max', schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum],
    ['above', schema.exclusiveMinimum],
    ['below', schema.exclusiveMaximum],
    ['min length', schema.minLength],
    ['max length', schema.maxLength],
    ['min items', schema.minItems],
    ['max items', schema.maxItems],
    // A format says more to a reader than its pattern.
    ['pattern', schema.format === undefined ? schema.pattern : undefined],
    ['default', schema.default],
  ];
  const limits = bounds
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${code(typeof value === 'string' ? value : JSON.stringify(value))}`);
  return [cell(schema.description ?? ''), limits.join(', ')].filter((part) => part !== '').join('<br>');
}

/** Makes a text safe for a cell: bars end a cell, and text in angle brackets would be a tag. */
export function cell(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((piece, i) => (i % 2 === 1 ? piece : piece.replaceAll('<', '&lt;').replaceAll('{{', '&#123;{')))
    .join('')
    .replaceAll('|', '\\|')
    .replace(/\s+/g, ' ');
}

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

/** A table of the fields of an object, or of a list's items. */
export function fieldTable(schema: Schema): string {
  const object = schema.items && !schema.properties ? schema.items : schema;
  const rows = fieldsOf(object).map(({ path, required, schema: field }) => {
    const name = `${code(path)}${required ? ' (required)' : ''}`;
    return `| ${name} | ${typeText(field)} | ${meaningOf(field)} |`;
  });
  return rows.length === 0 ? '' : ['| field | type | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
