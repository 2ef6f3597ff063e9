import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { policyInput } from '@spillway/contracts';
import { afterAll, expect, test } from 'vitest';
import { readEnv } from './env.js';

const folder = mkdtempSync(join(tmpdir(), 'policy-file-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const policyIn = (yaml: string) => {
  const path = join(folder, 'spillway.yaml');
  writeFileSync(path, yaml);
  return readEnv({ DATABASE_URL: 'postgresql://localhost/spillway', SPILLWAY_CONFIG: path }, policyInput)
    .policy;
};

test('a policy file sets the level of the server', () => {
  expect(policyIn('policy:\n  context:\n    trigger_tokens: 5000\n')).toMatchObject({
    context: { trigger_tokens: 5_000 },
  });
});

test.each([
  ['context', 'max_tokens', 'context.trigger_tokens'],
  ['context', 'output_reserve', 'context.response_reserve'],
  ['outputs', 'limit_tokens', 'outputs.threshold_tokens'],
])('a policy file with the former key %s.%s stops the start and names the new key', (group, key, use) => {
  expect(() => policyIn(`policy:\n  ${group}:\n    ${key}: 5000\n`)).toThrow(
    `/policy/${group}/${key} was renamed: use ${use}`,
  );
});
