import { expect, test } from 'vitest';
import { defaultPolicy, explainPolicy, lockedKeys, mergePolicies, presets } from '../index.js';

test('each value names the last level that set it, and a preset is its level unless a key beside it wins', () => {
  const { effective, sources } = explainPolicy([
    { name: 'server', policy: { context: { reserve_ratio: 0.2, trigger_ratio: 0.6 } } },
    { name: 'project', policy: { preset: 'dawn', outputs: { head_lines: 3 } } },
    { name: 'thread', policy: { context: { trigger_ratio: 0.5 } } },
  ]);
  expect(sources).toMatchObject({
    'context.reserve_ratio': 'server',
    'context.trigger_ratio': 'thread',
    'context.trigger_tokens': 'preset:dawn',
    'outputs.head_lines': 'project',
    'outputs.tail_lines': 'preset:dawn',
    'summary.max_tokens': 'default',
  });
  expect(effective.outputs.head_lines).toBe(3);
  expect(effective.outputs.tail_lines).toBe(presets.dawn.outputs!.tail_lines);
});

test('every key of the effective policy has a source, whatever the levels say', () => {
  const { sources } = explainPolicy([{ name: 'project', policy: null }]);
  const keys = Object.entries(defaultPolicy).flatMap(([group, of]) =>
    Object.keys(of as object).map((key) => `${group}.${key}`),
  );
  expect(Object.keys(sources).sort()).toEqual(keys.sort());
  expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
});

test('a null is a value: it wins over the level below and has a source', () => {
  const levels = [
    { name: 'server', policy: { context: { trigger_tokens: 9_000 } } },
    { name: 'project', policy: { context: { trigger_tokens: null } } },
  ] as const;
  expect(explainPolicy(levels).sources['context.trigger_tokens']).toBe('project');
  expect(explainPolicy(levels).effective.context.trigger_tokens).toBeNull();
  expect(mergePolicies(levels[0].policy, levels[1].policy).context!.trigger_tokens).toBeNull();
});

test('a locked key keeps the value and the source of the level that locks it, whatever later levels say', () => {
  const levels = [
    { name: 'server', policy: { locks: ['outputs.ttl_ms'], outputs: { ttl_ms: 1_000 } } },
    { name: 'project', policy: { locks: ['summary.provider'], outputs: { ttl_ms: 9_000 } } },
    {
      name: 'thread',
      policy: {
        locks: ['summary.model'],
        summary: { provider: 'openai', model: 'm' },
        outputs: { ttl_ms: 9_000 },
      },
    },
    { name: 'call', policy: { preset: 'dawn', summary: { provider: 'google', model: 'n' } } },
  ] as const satisfies Parameters<typeof explainPolicy>[0];
  const { effective, sources } = explainPolicy(levels);
  expect(effective.summary).toMatchObject({ provider: 'extractive', model: 'n' });
  expect(effective.outputs.ttl_ms).toBe(1_000);
  expect(sources).toMatchObject({ 'summary.provider': 'default', 'outputs.ttl_ms': 'server' });
  expect(lockedKeys(levels.slice(0, 2), levels[2].policy)).toEqual(['summary.provider', 'outputs.ttl_ms']);
});
