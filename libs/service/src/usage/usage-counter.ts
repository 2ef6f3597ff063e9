import type { ModelUsage } from '@spillway/engine';
import type { UsageCounts } from '@spillway/store';

/** The tokens of one context. */
export interface ServedContext {
  model: string | null;
  /** What was sent to the agent. */
  sent: number;
  /** What the whole history would have taken instead. */
  full: number;
  contextWindow: number;
  degraded: boolean;
}

/** Model names come from clients: further ones within a few seconds are counted without a name. */
const maxModels = 64;

/**
 * Counts usage in memory: appends and context reads are the hot paths, and counting there is a few additions and no
 * statement. Every few seconds the counts are added to Postgres. They are statistics: a crash loses the last seconds,
 * and no decision depends on them.
 */
export class UsageCounter {
  private projects = new Map<string, Map<string, UsageCounts>>();

  recorded(projectId: string, model: string | null, messages: number, tokens: number): void {
    const counts = this.of(projectId, model);
    counts.messages += messages;
    counts.tokensRecorded += tokens;
  }

  served(projectId: string, { model, sent, full, contextWindow, degraded }: ServedContext): void {
    const counts = this.of(projectId, model);
    counts.contexts++;
    counts.tokensSent += sent;
    counts.tokensFull += full;
    counts.tokensNotSent += tokensNotSent({ sent, full, contextWindow });
    if (full > contextWindow) counts.contextsOverWindow++;
    if (degraded) counts.contextsDegraded++;
  }

  /** A turn of /chat; `costUsd` is null when the model has no price or its provider reported no usage. */
  chatted(projectId: string, model: string | null, usage: ModelUsage, costUsd: number | null): void {
    const counts = this.of(projectId, model);
    counts.chatTurns++;
    counts.chatInputTokens += usage.inputTokens;
    counts.chatOutputTokens += usage.outputTokens;
    counts.chatCachedInputTokens += usage.cachedInputTokens;
    if (costUsd === null) counts.chatUnpricedTurns++;
    else counts.chatCostNanoUsd += Math.round(costUsd * 1e9);
  }

  /** A request that ended with a 5xx. */
  failed(projectId: string): void {
    this.of(projectId, null).serverErrors++;
  }

  /** The counts since the last call, by project and model; resets them to zero. */
  take(): Map<string, Map<string, UsageCounts>> {
    const taken = this.projects;
    this.projects = new Map();
    return taken;
  }

  /** Adds back counts that could not be written. */
  giveBack(projectId: string, byModel: ReadonlyMap<string, UsageCounts>): void {
    for (const [model, counts] of byModel) {
      const into = this.of(projectId, model);
      for (const name of Object.keys(counts) as (keyof UsageCounts)[]) into[name] += counts[name];
    }
  }

  private of(projectId: string, model: string | null): UsageCounts {
    let models = this.projects.get(projectId);
    if (!models) this.projects.set(projectId, (models = new Map<string, UsageCounts>()));
    const name = model !== null && (models.has(model) || models.size < maxModels) ? model : '';
    let counts = models.get(name);
    if (!counts) models.set(name, (counts = nothing()));
    return counts;
  }
}

/** The baseline is capped at the context window: a longer prompt would have been refused by the provider. */
export const tokensNotSent = ({
  sent,
  full,
  contextWindow,
}: Pick<ServedContext, 'sent' | 'full' | 'contextWindow'>): number =>
  Math.min(full, Math.max(contextWindow, sent)) - sent;

const nothing = (): UsageCounts => ({
  messages: 0,
  tokensRecorded: 0,
  contexts: 0,
  contextsDegraded: 0,
  contextsOverWindow: 0,
  tokensSent: 0,
  tokensFull: 0,
  tokensNotSent: 0,
  serverErrors: 0,
  chatTurns: 0,
  chatInputTokens: 0,
  chatOutputTokens: 0,
  chatCachedInputTokens: 0,
  chatCostNanoUsd: 0,
  chatUnpricedTurns: 0,
});
