import { expect, test } from 'vitest';
import { allowedTools } from './settings.js';

const tools = ['invalid', 'bash', 'read', 'write', 'edit', 'list_orders'].map((id) => ({
  id,
  description: id,
  parameters: {},
}));
const rule = (permission: string, action: string, pattern = '*') => ({ permission, action, pattern });

test.each([
  ['nothing is denied', [rule('*', 'allow')], ['bash', 'read', 'write', 'edit', 'list_orders']],
  ['all is denied but one', [rule('*', 'deny'), rule('read', 'allow')], ['read']],
  ['edits are denied', [rule('edit', 'deny')], ['bash', 'read', 'list_orders']],
  [
    'some commands are denied',
    [rule('bash', 'deny', 'rm *')],
    ['bash', 'read', 'write', 'edit', 'list_orders'],
  ],
  ['a pattern denies', [rule('list_*', 'deny'), rule('ba?h', 'deny')], ['read', 'write', 'edit']],
  [
    'a later rule allows',
    [rule('bash', 'deny'), rule('bash', 'ask')],
    ['bash', 'read', 'write', 'edit', 'list_orders'],
  ],
])('opencode sends the tools that are left when %s', (_, rules, sent) => {
  expect(allowedTools(tools, rules).map(({ id }) => id)).toEqual(sent);
});
