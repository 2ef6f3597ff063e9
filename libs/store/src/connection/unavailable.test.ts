import { expect, test } from 'vitest';
import { asUnavailable } from './unavailable.js';

const withCode = (code: string): Error => Object.assign(new Error('from Postgres'), { code });

test.each([
  ['08006', 'a lost connection'],
  ['53300', 'too many connections'],
  ['57P01', 'a shutdown'],
  ['25006', 'a standby that takes no writes'],
])('%s, %s, is an outage', (code) => {
  expect(asUnavailable(withCode(code))).toMatchObject({ code: 'database_unavailable' });
});

test.each(['23505', '42P01', '25001'])('%s is a defect, not an outage', (code) => {
  const error = withCode(code);
  expect(asUnavailable(error)).toBe(error);
});
