import { describe, expect, test } from 'vitest';
import { schemaLimits, schemaProblems } from './summary-schema.js';

const of = (field: object) => ({ type: 'object', properties: { field } });
/** `depth` schemas, one inside the other. */
const nested = (depth: number): object =>
  depth === 1 ? { type: 'string' } : { type: 'array', items: nested(depth - 1) };

test('what pydantic and zod write for plain fields is accepted', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Summary',
    type: 'object',
    properties: {
      goal: { type: 'string', title: 'Goal', description: 'What is wanted.', maxLength: 300 },
      owner: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      steps: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 9 },
      share: { type: ['number', 'null'], minimum: 0, maximum: 1 },
    },
    required: ['goal'],
    additionalProperties: false,
  };
  expect(schemaProblems(schema)).toEqual([]);
});

describe('a keyword that is not listed is refused with its path', () => {
  test.each([
    ['/properties/field/$ref', of({ $ref: '#/$defs/a' })],
    ['/$defs', { ...of({}), $defs: { a: {} } }],
    ['/properties/field/pattern', of({ type: 'string', pattern: '^(a+)+$' })],
    ['/patternProperties', { ...of({}), patternProperties: { '^(a+)+$': {} } }],
    ['/properties/field/propertyNames', of({ propertyNames: { pattern: '^(a+)+$' } })],
    ['/properties/field/format', of({ type: 'string', format: 'email' })],
    ['/properties/field/allOf', of({ allOf: [{}] })],
    ['/properties/field/uniqueItems', of({ type: 'array', uniqueItems: true })],
    ['/additionalProperties', { ...of({}), additionalProperties: { type: 'string' } }],
    ['/properties/field/items', of({ type: 'array', items: true })],
    ['/properties/field/enum', of({ enum: [{ a: 1 }] })],
    ['/properties/field/maxLength', of({ maxLength: -1 })],
    ['/properties/field/type', of({ type: 'text' })],
    ['/properties/a~1b/type', { type: 'object', properties: { 'a/b': { type: 'x' } } }],
    ['/properties/__proto__', JSON.parse('{"type":"object","properties":{"__proto__":{}}}') as object],
  ])('a schema is refused with the path %s', (path, schema) => {
    expect(schemaProblems({ ...schema })[0]?.path).toBe(path);
  });
});

test('size, depth and the number of schemas are limited', () => {
  const deepest = schemaLimits.depth - 1;
  expect(schemaProblems(of(nested(deepest)))).toEqual([]);
  expect(schemaProblems(of(nested(deepest + 1)))[0]?.message).toContain('8 levels');
  const many = Object.fromEntries(Array.from({ length: schemaLimits.nodes }, (_, i) => [`f${i}`, {}]));
  expect(schemaProblems({ type: 'object', properties: many })[0]?.message).toContain('the limit is 400');
  expect(schemaProblems(of({ description: 'x'.repeat(40_000) }))[0]?.message).toContain('32768');
});
