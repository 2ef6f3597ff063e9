import { resolvePolicy } from '../policy/merge-policies.js';
import { defaultPolicy, type Policy, type PolicyInput } from '../policy/policy.js';

/** What a context may use, in tokens. */
export interface Budget {
  contextWindow: number;
  /** No context is larger than this: the window less the room for the answer. */
  limit: number;
  /** Live tokens at which compaction is due. */
  trigger: number;
  /** What stays verbatim when retention is by tokens. */
  reserve: number;
  /** The longest summary. */
  summaryTokens: number;
}

/** Tokens the chat template adds once a context (Chronos and OpenAI both count 3). */
export const conversationOverhead = 3;

/**
 * The budget a policy gives in a context window. Nobody chose the defaults for this window, so where they do not
 * fit it they give way: the answer's room is at most half of the window, the reserve at most half of the trigger
 * and a summary at most a quarter of the limit.
 */
export function budgetOf(input: PolicyInput, contextWindow: number): Budget {
  const { context, summary } = resolvePolicy(input);
  const responseReserve =
    input.context?.response_reserve ??
    Math.min(defaultPolicy.context.response_reserve, Math.floor(contextWindow / 2));
  const limit = Math.max(1, contextWindow - responseReserve);
  const wanted = context.trigger_tokens ?? Math.floor(context.trigger_ratio * contextWindow);
  const trigger = Math.max(1, Math.min(wanted, Math.floor(0.9 * limit)));
  return {
    contextWindow,
    limit,
    trigger,
    reserve: Math.min(Math.floor(context.reserve_ratio * contextWindow), Math.floor(trigger / 2)),
    summaryTokens: Math.min(
      summary.max_tokens ?? summaryTokensFor(limit),
      Math.max(1, Math.floor(limit / 4)),
    ),
  };
}

/** What a summary may take where a policy does not say: 5 % of the limit, from 1,024 to 8,192 tokens. */
export const summaryTokensFor = (limit: number): number =>
  Math.min(8_192, Math.max(1_024, Math.floor(limit * 0.05)));

/**
 * A budget in our tokens when the provider counts `ratio` of its own for each of them. The window stays what it is, so
 * limit and trigger shrink as the ratio grows. A ratio below one moves the trigger alone, up to its share of the limit:
 * a ratio is an estimate, and no estimate may carry a context past the window.
 */
export function calibrated(budget: Budget, ratio: number): Budget {
  const limit = Math.max(1, Math.floor(budget.limit / Math.max(1, ratio)));
  const trigger = Math.max(1, Math.min(Math.floor(budget.trigger / ratio), Math.floor(0.9 * limit)));
  return {
    ...budget,
    limit,
    trigger,
    reserve: Math.min(Math.floor(budget.reserve / ratio), Math.floor(trigger / 2)),
    summaryTokens: Math.min(budget.summaryTokens, Math.max(1, Math.floor(limit / 4))),
  };
}

export interface PolicyProblem {
  path: string;
  message: string;
}

/** Combinations that cannot work in this window, with the path of the key to change. Empty when the policy is sound. */
export function policyProblems(input: PolicyInput, contextWindow: number): PolicyProblem[] {
  const policy: Policy = resolvePolicy(input);
  const problems: PolicyProblem[] = [];
  const reserve = input.context?.response_reserve;
  if (reserve !== undefined && reserve >= contextWindow) {
    problems.push({
      path: '/context/response_reserve',
      message: `must be smaller than the context window (${contextWindow} tokens)`,
    });
    return problems;
  }
  const { trigger } = budgetOf(input, contextWindow);
  const kept = Math.floor(policy.context.reserve_ratio * contextWindow);
  if (input.context?.reserve_ratio !== undefined && kept >= trigger) {
    problems.push({
      path: '/context/reserve_ratio',
      message: `keeps ${kept} tokens, which is not below the trigger of ${trigger}: nothing could be compacted`,
    });
  }
  return problems;
}
