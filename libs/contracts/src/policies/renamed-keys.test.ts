import { expect, test } from 'vitest';
import { policyInput } from './policy.js';

const errorsOf = (policy: unknown): [string, string][] =>
  (policyInput.safeParse(policy).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);

test.each([
  ['context', 'max_tokens', 'context.trigger_tokens'],
  ['context', 'output_reserve', 'context.response_reserve'],
  ['outputs', 'limit_tokens', 'outputs.threshold_tokens'],
])('the former key %s.%s is refused with the name of the new one', (group, key, use) => {
  expect(errorsOf({ [group]: { [key]: 5_000 } })).toEqual([[`${group}.${key}`, `was renamed: use ${use}`]]);
  expect(errorsOf({ locks: [`${group}.${key}`] })).toEqual([['locks.0', `was renamed: use ${use}`]]);
  expect(errorsOf({ locks: [use] })).toEqual([]);
});

test('a former key beside an unknown one and a wrong value: each has its own issue', () => {
  const errors = errorsOf({ context: { max_tokens: 1, no_such_key: 1, trigger_ratio: 5 } });
  expect(errors.map(([path]) => path).sort()).toEqual([
    'context',
    'context.max_tokens',
    'context.trigger_ratio',
  ]);
});

test('max_tokens of the summary keeps its name', () => {
  expect(errorsOf({ summary: { max_tokens: 500 } })).toEqual([]);
});
