import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { promptVersion, rules } from './rules.js';

/** The first 16 digits of the rules' SHA-256 by version. Change both together, after a run of `npm run bench fidelity -- --model`. */
const hashes: Record<string, string> = { '3': 'fa9e6b5e6295c0d2' };

test('rules that change have a new version', () => {
  expect(createHash('sha256').update(rules).digest('hex').slice(0, 16)).toBe(hashes[promptVersion]);
});
