import { describe, expect, test } from 'vitest';
import {
  budgetOf,
  calibrated,
  contextWindowOf,
  mergePolicies,
  policyProblems,
  resolvePolicy,
} from '../index.js';

describe('the budget', () => {
  test('is the window less the response reserve; the trigger is at most 0.9 of it', () => {
    expect(budgetOf({}, 128_000)).toMatchObject({
      limit: 123_904,
      trigger: 102_400,
      reserve: 12_800,
      summaryTokens: 6_195,
    });
    expect(budgetOf({}, 16_000)).toMatchObject({ limit: 11_904, trigger: 10_713, reserve: 1_600 });
  });

  test('takes an absolute trigger, as Dawn does', () => {
    expect(budgetOf({ context: { trigger_tokens: 12_000 } }, 128_000).trigger).toBe(12_000);
  });

  test.each([
    ['the defaults: not before what came since fills the reserve', {}, 89_600],
    ['a lower trigger: three quarters of it', { trigger_ratio: 0.5, reserve_ratio: 0.2 }, 48_000],
    ['the same in tokens', { trigger_tokens: 64_000, reserve_ratio: 0.2 }, 48_000],
    ['a lower trigger: not before the reserve either', { trigger_ratio: 0.5 }, 51_200],
    ['a higher trigger', { trigger_ratio: 0.9, reserve_ratio: 0.4 }, 76_800],
    ['a share of its own', { trigger_ratio: 0.5, prepare_ratio: 0.45 }, 57_600],
    [
      'a share that is past the trigger',
      { trigger_ratio: 0.5, reserve_ratio: 0.2, prepare_ratio: 0.55 },
      48_000,
    ],
    ['never', { trigger_ratio: 0.5, prepare_ratio: null }, null],
  ])('prepares the next fold before the trigger: %s', (_what, context, prepare) => {
    expect(budgetOf({ context }, 128_000).prepare).toBe(prepare);
  });

  test('stays usable in a window smaller than the defaults were made for', () => {
    expect(budgetOf({}, 2_000)).toMatchObject({ limit: 1_000, trigger: 900, summaryTokens: 250 });
    expect(budgetOf({}, 1).limit).toBeGreaterThan(0);
  });
});

describe('a policy', () => {
  test('is merged key by key, the later level winning', () => {
    const merged = mergePolicies({ context: { trigger_ratio: 0.5, reserve_ratio: 0.2 } }, undefined, {
      context: { trigger_ratio: 0.6 },
      outputs: { threshold_tokens: 5 },
    });
    const policy = resolvePolicy(merged);
    expect(policy.context).toMatchObject({ trigger_ratio: 0.6, reserve_ratio: 0.2, min_reclaim_ratio: 0.2 });
    expect(policy.outputs.threshold_tokens).toBe(5);
  });

  test('that cannot work is refused with the path of the key', () => {
    expect(policyProblems({ context: { response_reserve: 8_000 } }, 8_000)[0]?.path).toBe(
      '/context/response_reserve',
    );
    expect(policyProblems({ context: { reserve_ratio: 0.5, trigger_ratio: 0.3 } }, 10_000)[0]?.path).toBe(
      '/context/reserve_ratio',
    );
    expect(policyProblems({}, 10_000)).toEqual([]);
  });
});

describe('the window of a model', () => {
  test.each([
    ['gpt-4o', 128_000],
    ['openai/gpt-4o', 128_000],
    ['gpt-4o-2024-08-06', 128_000],
    ['gpt-4o-mini-2024-07-18', 128_000],
    ['claude-opus-4-5-20251101', 200_000],
    ['claude-opus-5-5', 1_000_000],
    ['gpt-4o-something-new', 128_000],
    ['anthropic.claude-opus-4-1-20250805-v1:0', 200_000],
    ['us.anthropic.claude-opus-4-7-v1', 1_000_000],
    ['arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-lite-v1:0', 300_000],
    ['anthropic.claude-3-haiku-20240307-v1:0:48k', 48_000],
    ['openai.gpt-oss-120b-1:0', 131_072],
    ['claude-opus-4-5@20251101', 200_000],
    ['nobody-knows', 8_192],
    ['constructor', 8_192],
    [null, 8_192],
  ])('%s: %i', (model, tokens) => {
    expect(contextWindowOf(model).tokens).toBe(tokens);
  });

  test('is overridden by name', () => {
    expect(contextWindowOf('openai/gpt-4o', { 'gpt-4o': 5 })).toEqual({
      tokens: 5,
      known: true,
      overridden: true,
    });
  });
});

describe('a calibrated budget', () => {
  const budget = budgetOf({}, 16_000);

  test('shrinks when the provider counts more, its summary with it', () => {
    const half = calibrated(budget, 2);
    expect(half).toMatchObject({ contextWindow: 16_000, limit: 5_952, trigger: 5_356 });
    expect(calibrated(budget, 4).summaryTokens).toBeLessThan(budget.summaryTokens);
    expect(calibrated(budget, 1)).toEqual(budget);
  });

  test('never passes the window, whatever was measured', () => {
    for (const ratio of [0.4, 0.5, 0.75, 0.99, 1, 1.5, 4]) {
      const { limit, trigger, reserve } = calibrated(budget, ratio);
      expect(limit).toBeLessThanOrEqual(budget.limit);
      // In tokens as the provider counts them.
      expect(limit * ratio).toBeLessThanOrEqual(budget.limit);
      expect(trigger).toBeLessThanOrEqual(0.9 * limit);
      expect(reserve).toBeLessThanOrEqual(trigger / 2);
    }
  });

  test('moves its trigger up to its share of the limit when the provider counts less', () => {
    const early = budgetOf({ context: { trigger_ratio: 0.3 } }, 16_000);
    expect(calibrated(early, 0.75).trigger).toBe(6_400);
  });
});
