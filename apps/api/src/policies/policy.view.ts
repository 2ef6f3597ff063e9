import type { PolicyView, SimulatedRun } from '@spillway/service';

export const policyView = ({ policy, effective, sources, inherited, version }: PolicyView) => ({
  policy,
  effective,
  sources,
  inherited,
  version,
});

interface Budget {
  contextWindow: number;
  limit: number;
  trigger: number;
}

export const budgetView = ({ contextWindow, limit, trigger }: Budget) => ({
  context_window: contextWindow,
  limit,
  trigger,
});

export const runView = (run: SimulatedRun) => ({
  budget: budgetView(run.budget),
  compactions: run.compactions.map((one) => ({
    at_seq: one.atSeq,
    from_seq: one.fromSeq,
    to_seq: one.toSeq,
    tokens_before: one.tokensBefore,
    tokens_after: one.tokensAfter,
  })),
  peak_tokens: run.peakTokens,
  peak_fill: run.peakTokens / run.budget.contextWindow,
  contexts: run.contexts,
  tokens_sent: run.tokensSent,
  over_limit: run.overLimit,
  stuck: run.stuck,
  fill: run.fill,
});
