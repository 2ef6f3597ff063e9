import { expect, test } from 'vitest';
import { asUnavailable } from './unavailable.js';

const withCode = (code: string): Error => Object.assign(new Error('from Postgres'), { code });

test.each([
  ['08006', 'a lost connection'],
  ['53300', 'too many connections'],
  ['57P01', 'a shutdown'],
  ['25006', 'a standby that takes no writes'],
  ['25P04', 'a limit of the server for transactions'],
  ['28P01', 'a password that was changed in Postgres first'],
  ['3D000', 'a database that is being restored'],
  ['53100', 'a full disk'],
  ['EAI_AGAIN', 'a resolver that does not answer'],
  ['ENETUNREACH', 'a network that is down'],
])('%s, %s, is an outage', (code) => {
  expect(asUnavailable(withCode(code))).toMatchObject({ code: 'database_unavailable' });
});

test.each(['23505', '42P01', '25001'])('%s is a defect, not an outage', (code) => {
  const error = withCode(code);
  expect(asUnavailable(error)).toBe(error);
});
