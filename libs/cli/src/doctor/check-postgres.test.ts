import { expect, test } from 'vitest';
import { versionFinding } from './check-postgres.js';

test.each([
  ['14.19', 140_019, 'warning'],
  ['15.14', 150_014, 'ok'],
  ['17.6', 170_006, 'ok'],
  ['18.1', 180_001, 'ok'],
  ['19devel', 190_000, 'ok'],
])('Postgres %s', (version, number, state) => {
  expect(versionFinding({ version, number, ms: 2 })).toMatchObject({
    state,
    finding: expect.stringContaining(version) as string,
  });
});
