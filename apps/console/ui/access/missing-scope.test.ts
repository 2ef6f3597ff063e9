import { expect, test } from 'vitest';
import { missingScope } from './missing-scope';

test('a scope is missing only when it is known that the key lacks it', () => {
  expect(missingScope(['context:read'], 'threads:manage')).toBe('threads:manage');
  expect(missingScope(['threads:manage'], 'threads:manage')).toBeNull();
  expect(missingScope(['admin'], 'threads:manage')).toBeNull();
  expect(missingScope(undefined, 'threads:manage')).toBeNull();
});
