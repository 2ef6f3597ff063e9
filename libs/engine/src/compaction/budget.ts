import { resolvePolicy } from '../policy/merge-policies.js';
import { defaultPolicy, type Policy, type PolicyInput } from '../policy/policy.js';

/** The limits of a thread in tokens. */
export interface Budget {
  contextWindow: number;
  /** The largest context: the window minus the response reserve. */
  limit: number;
  /** Live tokens at which a compaction is due. */
  trigger: number;
  /** Live tokens at which the next fold may be made ahead; null for never. */
  prepare: number | null;
  /** Tokens that stay verbatim when retention is by tokens. */
  reserve: number;
  /** Maximum tokens of a summary. */
  summaryTokens: number;
}

/** The trigger leaves room for what is appended while a compaction runs (AgentScope: at most 0.9). */
const maxTrigger = (limit: number): number => Math.floor(0.9 * limit);
/** A thread that is parked as irreducible is tried again when it has grown by its trigger divided by this. */
export const unparkDivisor = 20;
/** At least half of the trigger is compacted: no more than the other half stays verbatim. */
const maxReserve = (trigger: number): number => Math.floor(trigger / 2);
const maxSummary = (limit: number): number => Math.max(1, Math.floor(limit / 4));

/**
 * The budget of a policy in a context window. What does not fit the window is reduced: the response reserve to half of
 * the window unless the policy sets it, the trigger to nine tenths of the limit, the reserve to half of the trigger and
 * a summary to a quarter of the limit.
 */
export function budgetOf(input: PolicyInput, contextWindow: number): Budget {
  const { context, summary } = resolvePolicy(input);
  const responseReserve =
    input.context?.response_reserve ??
    Math.min(defaultPolicy.context.response_reserve, Math.floor(contextWindow / 2));
  const limit = Math.max(1, contextWindow - responseReserve);
  const wanted = context.trigger_tokens ?? Math.floor(context.trigger_ratio * contextWindow);
  const trigger = Math.max(1, Math.min(wanted, maxTrigger(limit)));
  const reserve = Math.min(Math.floor(context.reserve_ratio * contextWindow), maxReserve(trigger));
  return {
    contextWindow,
    limit,
    trigger,
    prepare: prepareAt(context.prepare_ratio, { contextWindow, wanted, trigger, reserve }),
    reserve,
    summaryTokens: Math.min(
      // A trigger far below the limit makes the context as small as a small window would.
      summary.max_tokens ?? summaryTokensFor(Math.min(limit, trigger / defaultPolicy.context.trigger_ratio)),
      maxSummary(limit),
    ),
  };
}

/** The share of a trigger at which the defaults prepare a fold: three quarters. */
const preparedShare = defaultPolicy.context.prepare_ratio! / defaultPolicy.context.trigger_ratio;

/**
 * When a fold is prepared: at its share of the window, below the trigger, and not before what came since then fills the
 * reserve at the trigger. A fold that is made earlier covers less than the one at the trigger would, so a thread would
 * need more of them. Where a policy lowers the trigger to the share or below, a fold is prepared at three quarters of the
 * `wanted` trigger. The response reserve has no such effect: where it takes the trigger below the share, as in small
 * windows, nothing is prepared.
 */
function prepareAt(
  ratio: number | null,
  { contextWindow, wanted, trigger, reserve }: PrepareInput,
): number | null {
  if (ratio === null) return null;
  const share = Math.floor(ratio * contextWindow);
  const tokens = Math.max(share < wanted ? share : Math.round(preparedShare * wanted), trigger - reserve);
  return tokens >= trigger ? null : tokens;
}

interface PrepareInput extends Pick<Budget, 'contextWindow' | 'trigger' | 'reserve'> {
  /** The trigger of the policy, before the limit bounds it. */
  wanted: number;
}

/** Maximum tokens of a summary where no policy sets them: 5 % of the limit, from 1,024 to 8,192. */
export const summaryTokensFor = (limit: number): number =>
  Math.min(8_192, Math.max(1_024, Math.floor(limit * 0.05)));

/**
 * A budget in our tokens when the provider counts `ratio` tokens for each of them. The window stays the same, so limit
 * and trigger shrink as the ratio grows. A ratio below one raises only the trigger, up to its share of the limit: a
 * ratio is an estimate, and must not let a context exceed the window.
 */
export function calibrated(budget: Budget, ratio: number): Budget {
  const limit = Math.max(1, Math.floor(budget.limit / Math.max(1, ratio)));
  const trigger = Math.max(1, Math.min(Math.floor(budget.trigger / ratio), maxTrigger(limit)));
  return {
    ...budget,
    limit,
    trigger,
    prepare: budget.prepare && Math.max(1, Math.min(trigger, Math.floor(budget.prepare / ratio))),
    reserve: Math.min(Math.floor(budget.reserve / ratio), maxReserve(trigger)),
    summaryTokens: Math.min(budget.summaryTokens, maxSummary(limit)),
  };
}

export interface PolicyProblem {
  path: string;
  message: string;
}

/** Invalid combinations in this window, with the path of the key to change. Empty for a valid policy. */
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
