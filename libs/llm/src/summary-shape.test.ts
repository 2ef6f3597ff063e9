import { expect, test } from 'vitest';
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
  [{ type: 'string' }],
  [{ type: 'object' }],
  [{ type: 'object', properties: { a: { pattern: '(a+)+$' } } }],
])('%j is refused as a schema', (schema) => expect(() => shapeOf(schema)).toThrow('must'));
