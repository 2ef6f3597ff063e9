import type { ModelUsage } from '@spillway/engine';
import type { UsageBatch, UsageCounts } from '@spillway/store';
import { randomUUID } from 'node:crypto';

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

/** Who made a model call. */
export interface Spender {
  projectId: string;
  keyId: string;
}

interface Counted {
  byModel: Map<string, UsageCounts>;
  chatTokensByKey: Map<string, number>;
}

/** Model names come from clients: further ones within a few seconds are counted without a name. */
const maxModels = 64;

/**
 * Counts usage in memory: appends and context reads are the hot paths, and counting there is a few additions and no
 * statement. Every few seconds the counts are added to Postgres. A crash loses the last seconds: budgets of a day may be
 * exceeded by that.
 */
export class UsageCounter {
  /** The name of this process as a writer of usage. */
  readonly writer = randomUUID();
  private readonly projects = new Map<string, Counted>();
  private readonly taken = new Map<string, UsageBatch>();
  private batches = 0;

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

  /** A model call of /chat or a proxy; `costUsd` is null when the model has no price or its provider reported no usage. */
  chatted(
    { projectId, keyId }: Spender,
    model: string | null,
    usage: ModelUsage,
    costUsd: number | null,
  ): void {
    const counts = this.of(projectId, model);
    const { chatTokensByKey } = this.ofProject(projectId);
    const taken = usage.inputTokens + usage.outputTokens;
    chatTokensByKey.set(keyId, (chatTokensByKey.get(keyId) ?? 0) + taken);
    counts.chatTurns++;
    counts.chatInputTokens += usage.inputTokens;
    counts.chatOutputTokens += usage.outputTokens;
    counts.chatCachedInputTokens += usage.cachedInputTokens;
    if (costUsd === null) counts.chatUnpricedTurns++;
    else counts.chatCostNanoUsd += Math.round(costUsd * 1e9);
  }

  /** A call whose thread is found by its conversation, which has an answer already. */
  foundByHistory(projectId: string, model: string, isFound: boolean): void {
    const counts = this.of(projectId, model);
    counts.historyCalls++;
    if (!isFound) counts.historyCallsNotFound++;
  }

  /**
   * Input and output tokens of turns that were counted here and not reported as written. While they are being written they
   * may be in Postgres as well: what a budget is compared with is then too large for a moment, never too small.
   */
  chatTokens(projectId: string): number {
    return this.unwritten(projectId)
      .flatMap(({ byModel }) => [...byModel.values()])
      .reduce((sum, { chatInputTokens, chatOutputTokens }) => sum + chatInputTokens + chatOutputTokens, 0);
  }

  /** The same of one key. */
  chatTokensOfKey(projectId: string, keyId: string): number {
    return this.unwritten(projectId).reduce(
      (sum, { chatTokensByKey }) => sum + (chatTokensByKey.get(keyId) ?? 0),
      0,
    );
  }

  /** A request that ended with a 5xx. */
  failed(projectId: string): void {
    this.of(projectId, null).serverErrors++;
  }

  /**
   * Returns the batch to write of each project. One that was not reported as written is returned again as it is, since
   * it may have been; what was counted meanwhile is in the one after it.
   */
  take(): ReadonlyMap<string, UsageBatch> {
    for (const [projectId, counted] of this.projects) {
      if (this.taken.has(projectId)) continue;
      this.taken.set(projectId, { number: ++this.batches, ...counted });
      this.projects.delete(projectId);
    }
    return new Map(this.taken);
  }

  /** Reports that the batch of a project was written. */
  written(projectId: string): void {
    this.taken.delete(projectId);
  }

  private of(projectId: string, model: string | null): UsageCounts {
    const { byModel: models } = this.ofProject(projectId);
    const name = model !== null && (models.has(model) || models.size < maxModels) ? model : '';
    let counts = models.get(name);
    if (!counts) models.set(name, (counts = nothing()));
    return counts;
  }

  private ofProject(projectId: string): Counted {
    let counted = this.projects.get(projectId);
    if (!counted)
      this.projects.set(projectId, (counted = { byModel: new Map(), chatTokensByKey: new Map() }));
    return counted;
  }

  private unwritten(projectId: string): Pick<UsageBatch, 'byModel' | 'chatTokensByKey'>[] {
    const kept = [this.projects.get(projectId), this.taken.get(projectId)];
    return kept.filter((counted) => counted !== undefined);
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
  historyCalls: 0,
  historyCallsNotFound: 0,
});
