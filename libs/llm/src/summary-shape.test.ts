import { describe, expect, test } from 'vitest';
import { defaultShape, shapeOf } from './summary-shape.js';

const five = {
  task_overview: 'a',
  current_state: 'b',
  important_discoveries: 'c',
  next_steps: 'd',
  context_to_preserve: 'e',
};

test('five fields of text are a summary, anything else is not', () => {
  expect(defaultShape.read(five)).toEqual(five);
  expect(defaultShape.read({ ...five, more: 'x' })).toEqual(five);
  for (const wrong of [null, 'text', {}, { ...five, next_steps: 7 }, [five]]) {
    expect(() => defaultShape.read(wrong)).toThrow('does not fit its schema');
  }
});

test('a schema of its own is validated; lists become JSON', () => {
  const shape = shapeOf({
    type: 'object',
    properties: {
      goal: { type: 'string', minLength: 3 },
      files: { type: 'array', items: { type: 'string' } },
    },
    required: ['goal'],
  });
  expect(shape.read({ goal: 'ship', files: ['a.ts'] })).toEqual({ goal: 'ship', files: '["a.ts"]' });
  expect(() => shape.read({ goal: 'no' })).toThrow('/goal');
});

test.each([
  [{ minLength: 2 }, 'é', '/f is 1 characters long, less than 2'],
  [{ maxLength: 1 }, '😀', null],
  [{ type: 'string' }, 7, '/f must be of type string, not number'],
  [{ type: 'integer' }, 7, null],
  [{ type: 'integer' }, 7.5, '/f must be of type integer, not number'],
  [{ type: ['string', 'null'] }, null, null],
  [{ enum: ['a', 'b'] }, 'c', '/f is none of its enum'],
  [{ const: 'a' }, 'b', '/f is not its const'],
  [{ minimum: 0, maximum: 1 }, 2, '/f is 2, more than 1'],
  [{ maxItems: 1 }, [1, 2], '/f is 2 items long, more than 1'],
  [{ items: { type: 'string' } }, ['a', 1], '/f/1 must be of type string, not number'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 4, '/f fits none of its anyOf'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null, null],
  [{ properties: { a: {} }, additionalProperties: false }, { b: 1 }, '/f/b is not a property'],
  [{ required: ['a'] }, { b: 1 }, '/f/a is missing'],
])('%j says of %j: %s', (field, value, problem) => {
  const shape = shapeOf({ type: 'object', properties: { f: field } });
  const answer = { f: value, rest: 'x' };
  if (problem === null) expect(shape.read(answer)).toMatchObject({ rest: 'x' });
  else expect(() => shape.read(answer)).toThrow(problem);
});

describe('a schema that is not supported has no shape', () => {
  test.each([
    [{ type: 'string' }],
    [{ type: 'object' }],
    [{ type: 'object', properties: { a: { pattern: '(a+)+$' } } }],
  ])('%j is refused as a schema', (schema) => expect(() => shapeOf(schema)).toThrow());
});
